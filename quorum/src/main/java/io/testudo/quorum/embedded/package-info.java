/**
 * Whole clusters on one machine, in this process or in child processes, for tests, examples and
 * development.
 */
@NullMarked
package io.testudo.quorum.embedded;

import org.jspecify.annotations.NullMarked;
