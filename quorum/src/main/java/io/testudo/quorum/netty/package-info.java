/**
 * Machines on real sockets. The only package that knows Netty. A connection shows who it is before
 * anything else of it is read; many machines share one connection to each server.
 */
@NullMarked
package io.testudo.quorum.netty;

import org.jspecify.annotations.NullMarked;
