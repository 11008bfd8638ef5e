/** The quorum ping in the simulator. */
@NullMarked
package io.testudo.quorum.sim.ping;

import org.jspecify.annotations.NullMarked;
