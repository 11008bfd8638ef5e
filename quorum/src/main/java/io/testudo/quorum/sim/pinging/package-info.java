/** The quorum ping in the simulator. */
@NullMarked
package io.testudo.quorum.sim.pinging;

import org.jspecify.annotations.NullMarked;
