/** The one list of lock protocols. Whoever must know them all reads it. */
@NullMarked
package io.testudo.mutex.registry;

import org.jspecify.annotations.NullMarked;
