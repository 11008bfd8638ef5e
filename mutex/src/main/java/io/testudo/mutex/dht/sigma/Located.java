package io.testudo.mutex.dht.sigma;

import io.testudo.quorum.protocol.Message;

/** The sender is this logical replica. */
public record Located(String lock, int index) implements Message {}
