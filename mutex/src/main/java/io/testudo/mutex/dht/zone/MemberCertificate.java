package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.Bytes;

/**
 * That a place on the ring belongs to the holder of a key, as the authority of the ring says: who
 * comes over a channel is the one with this place.
 *
 * @param proof of the authority, as its bytes
 */
public record MemberCertificate(NodeId id, Bytes proof) {}
