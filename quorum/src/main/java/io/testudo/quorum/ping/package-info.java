/**
 * The quorum ping: a client learns of each server that it is there and how often it has started. A
 * server's word about itself is a claim; it counts once b+1 servers report it, and so a server that
 * lost its memory is found out by the others. The smallest complete protocol of the house, and the
 * one to read first. See docs/ping.md.
 */
@NullMarked
@Pure
package io.testudo.quorum.ping;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
