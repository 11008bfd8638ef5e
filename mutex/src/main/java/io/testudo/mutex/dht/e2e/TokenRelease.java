package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/**
 * RELEASE by the last holder of a token, along the pointers of hops, which it deletes; or by a
 * request that is over and may have a vote. It frees what belongs to lower numbers of the token; of
 * this number only what belongs to the sender, since others may have been handed it, too.
 *
 * @param token whose number nobody holds the lock by, as far as the sender knows
 * @param by the request that is over
 */
public record TokenRelease(ReplicaName replica, Token token, RequestId by) implements Message {}
