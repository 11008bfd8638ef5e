package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/** From the holder: that request is in its queue. */
public record Enqueued(String lock, RequestId id) implements Message {}
