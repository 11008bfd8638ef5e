/** The ordering of operations in the simulator. */
@NullMarked
package io.testudo.ordering.sim;

import org.jspecify.annotations.NullMarked;
