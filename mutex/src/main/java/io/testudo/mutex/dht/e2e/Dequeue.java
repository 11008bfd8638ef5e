package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/** To the holder: that request is over. */
public record Dequeue(String lock, RequestId id) implements Message {}
