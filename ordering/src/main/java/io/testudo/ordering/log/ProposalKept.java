package io.testudo.ordering.log;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: the newest proposal. */
public record ProposalKept(String object, Statement proposal) implements StateRecord {}
