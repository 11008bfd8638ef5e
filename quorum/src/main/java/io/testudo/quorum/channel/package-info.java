/**
 * How both ends of a connection prove who they are, and how the frames after that are protected.
 * Byte machines without sockets or threads: a runtime moves the bytes. See docs/identity.md.
 */
@NullMarked
package io.testudo.quorum.channel;

import org.jspecify.annotations.NullMarked;
