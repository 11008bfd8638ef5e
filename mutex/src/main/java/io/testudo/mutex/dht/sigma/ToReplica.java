package io.testudo.mutex.dht.sigma;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.sigma.SigmaRequest;
import io.testudo.quorum.protocol.Message;

/**
 * A client's message to a logical replica, sent directly or routed.
 *
 * @param client the address for the answer
 * @param session drawn at each start of the client
 */
public record ToReplica(NodeId client, long session, int index, SigmaRequest request)
    implements Message {}
