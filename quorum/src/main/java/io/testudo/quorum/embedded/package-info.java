/** Whole clusters in one process, for tests, examples and development. */
@NullMarked
package io.testudo.quorum.embedded;

import org.jspecify.annotations.NullMarked;
