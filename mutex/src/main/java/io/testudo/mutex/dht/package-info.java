/**
 * Mutexes over a distributed hash table: a node of the ring, and what all backends share. A lock's
 * logical replicas are the members that own the hashes of its name. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
