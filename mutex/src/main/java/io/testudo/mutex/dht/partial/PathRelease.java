package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/**
 * RELEASE, along the entries that this request has made, which it deletes.
 *
 * @param collected who waited on the way so far
 */
public record PathRelease(
    ReplicaName replica, RequestId id, ImmutableList<WaitingRequest> collected)
    implements Message {}
