/** Clusters for tests with JUnit. */
@NullMarked
package io.testudo.client.junit;

import org.jspecify.annotations.NullMarked;
