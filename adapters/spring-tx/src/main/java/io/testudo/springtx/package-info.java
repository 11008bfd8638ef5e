/** Locks that end with a Spring transaction. */
@NullMarked
package io.testudo.springtx;

import org.jspecify.annotations.NullMarked;
