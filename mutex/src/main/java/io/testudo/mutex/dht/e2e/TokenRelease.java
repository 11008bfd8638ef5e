package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.quorum.protocol.Message;

/**
 * RELEASE by the last holder of a token, along the pointers of hops, which it deletes; or by a
 * request that is over and may have a vote.
 */
public record TokenRelease(ReplicaName replica, Token token) implements Message {}
