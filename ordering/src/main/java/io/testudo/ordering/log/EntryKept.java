package io.testudo.ordering.log;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: a step in the history of an object. */
public record EntryKept(String object, Entry entry) implements StateRecord {}
