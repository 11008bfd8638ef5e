package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Event;

/** Told when a lease lasts longer than it did. */
public record LeaseRenewed(String lock, long token, Term term) implements Event {}
