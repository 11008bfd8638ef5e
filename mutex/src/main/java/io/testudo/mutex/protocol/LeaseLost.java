package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Event;

/** Told when the term of a lease ended before it was released. */
public record LeaseLost(String lock, long token) implements Event {}
