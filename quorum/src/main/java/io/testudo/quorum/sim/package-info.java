/**
 * A whole cluster in one thread: virtual network, clocks and disks, servers that lie, and checkers.
 * The protocol, codec and runtime code is the real one; only the ports differ. One seed is one run,
 * byte for byte. Shipped, so that applications can be tested with it. See docs/simulator.md.
 */
@NullMarked
package io.testudo.quorum.sim;

import org.jspecify.annotations.NullMarked;
