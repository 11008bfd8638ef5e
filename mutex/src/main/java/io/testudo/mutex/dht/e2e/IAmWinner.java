package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/**
 * IAMWINNER: the lock is held, or about to be, by this request, by right of a token. Routed: hops
 * note the holder. Sent again to renew.
 *
 * @param holder the request that the token was handed to; the winner itself at first
 */
public record IAmWinner(ReplicaName replica, Token token, WaitingRequest holder)
    implements Message {}
