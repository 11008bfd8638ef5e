package io.testudo.mutex.dht.partial;

import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/**
 * GRANTREQ of a hop: that request waits here, behind another. This may steer a yield; a vote it is
 * not, since the other one may not have the lock either.
 *
 * @param behind the request that passed here first
 */
public record HeldBack(ReplicaName replica, RequestId to, RequestId behind) implements Message {}
