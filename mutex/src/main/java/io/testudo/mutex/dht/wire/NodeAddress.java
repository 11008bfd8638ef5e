package io.testudo.mutex.dht.wire;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.cluster.Endpoint;

/**
 * Where a node is reached.
 *
 * @param at where a member listens; of a client beside the ring, that of the member which it is
 *     connected to and which passes on what is for it
 */
public record NodeAddress(NodeId node, Endpoint at) {}
