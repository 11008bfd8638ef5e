/**
 * The non end-to-end mutex of Muhammad, Cheema and Gupta (2005): each hop on the way to a replica
 * keeps a part of the queue, and a release collects the parts on its way. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.partial;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
