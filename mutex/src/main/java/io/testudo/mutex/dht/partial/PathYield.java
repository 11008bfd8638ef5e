package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Message;

/**
 * YIELD, along the entries of this request, which stay: the vote goes to the earliest of all who
 * wait, and these include those on the way.
 */
public record PathYield(
    ReplicaName replica,
    WaitingRequest waiter,
    GrantId grant,
    ImmutableList<WaitingRequest> collected)
    implements Message {}
