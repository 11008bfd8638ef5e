package io.testudo.ordering.server;

import io.testudo.ordering.log.StateId;
import io.testudo.quorum.protocol.Event;

/**
 * Told when a server was shown two histories of one object that cannot both be true. More servers
 * lie than the cluster tolerates, or a client breaks the rules.
 */
public record Forked(String object, StateId one, StateId other) implements Event {}
