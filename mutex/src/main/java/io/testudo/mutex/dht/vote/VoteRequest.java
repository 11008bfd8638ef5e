package io.testudo.mutex.dht.vote;

import io.testudo.quorum.protocol.Message;

/**
 * REQUEST, routed to each replica.
 *
 * @param isFirst whether hops may stop it; what is asked again goes all the way, because what hops
 *     know may be out of date
 */
public record VoteRequest(ReplicaName replica, WaitingRequest waiter, boolean isFirst)
    implements Message {}
