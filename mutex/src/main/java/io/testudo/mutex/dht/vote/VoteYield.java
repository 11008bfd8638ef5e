package io.testudo.mutex.dht.vote;

import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Message;

/**
 * YIELD: give this vote to the earliest who waits.
 *
 * @param grant the vote that is given up, and no other
 * @param waits whether the sender waits on, as one of them; else it wants no vote here
 */
public record VoteYield(ReplicaName replica, WaitingRequest waiter, GrantId grant, boolean waits)
    implements Message {}
