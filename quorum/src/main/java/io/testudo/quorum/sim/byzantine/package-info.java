/**
 * The ways in which a server can be faulty, as strategies that can be put together and that know
 * nothing of a protocol. What only one who knows the protocol can say comes from its {@link
 * io.testudo.quorum.sim.byzantine.Forger}.
 */
@NullMarked
package io.testudo.quorum.sim.byzantine;

import org.jspecify.annotations.NullMarked;
