/**
 * The end-to-end mutex of Muhammad, Cheema and Gupta (2005): the queue is at the node that holds
 * the lock and travels with it; hops on the way to a replica know the holder and send requests
 * there. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.e2e;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
