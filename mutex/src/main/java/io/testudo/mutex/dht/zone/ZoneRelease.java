package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/** RELEASE: that request is over. */
public record ZoneRelease(String lock, RequestId id) implements Message {}
