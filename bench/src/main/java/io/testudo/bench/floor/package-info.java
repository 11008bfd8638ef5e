/**
 * The floor under every figure: bare Netty, 64-byte messages, no authentication, no protocol. What
 * a system needs beyond it is its own cost; what is below it no system on Netty can reach here.
 */
@NullMarked
package io.testudo.bench.floor;

import org.jspecify.annotations.NullMarked;
