package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/** NOT_OWNER: the lock is not held here, nor does the sender know where; ask the replicas. */
public record NotOwner(String lock, RequestId id) implements Message {}
