package io.testudo.ordering.log;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: a state as a whole; what led to it is gone. */
public record SnapshotKept(String object, LogSnapshot snapshot) implements StateRecord {}
