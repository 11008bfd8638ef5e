package io.testudo.mutex.dht.zone;

import com.google.common.hash.HashCode;
import io.testudo.mutex.dht.overlay.NodeId;

/**
 * That a place on the ring belongs to the holder of a key, as the authority of the ring says: who
 * comes over a channel is the one with this place.
 *
 * @param proof of the authority, as its bytes
 */
public record MemberCertificate(NodeId id, HashCode proof) {}
