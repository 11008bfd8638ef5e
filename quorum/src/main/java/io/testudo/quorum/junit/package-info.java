/** Embedded clusters for tests with JUnit. */
@NullMarked
package io.testudo.quorum.junit;

import org.jspecify.annotations.NullMarked;
