/**
 * Locks in the simulator: what applications do with them, what must hold all the time, and what
 * lying servers say.
 */
@NullMarked
package io.testudo.mutex.sim;

import org.jspecify.annotations.NullMarked;
