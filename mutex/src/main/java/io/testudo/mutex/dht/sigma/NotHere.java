package io.testudo.mutex.dht.sigma;

import io.testudo.quorum.protocol.Message;

/** The sender is not, or no more, this logical replica: look it up again. */
public record NotHere(String lock, int index) implements Message {}
