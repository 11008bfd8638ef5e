package io.testudo.ordering.log;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: the newest commit. */
public record CommitKept(String object, Statement commit) implements StateRecord {}
