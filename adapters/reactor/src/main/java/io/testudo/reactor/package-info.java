/** Locks as publishers. */
@NullMarked
package io.testudo.reactor;

import org.jspecify.annotations.NullMarked;
