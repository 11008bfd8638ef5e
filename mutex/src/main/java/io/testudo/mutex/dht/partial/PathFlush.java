package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/** From a hop whose entry was not renewed: its part of the queue, for the replica. */
public record PathFlush(ReplicaName replica, ImmutableList<WaitingRequest> waiting)
    implements Message {}
