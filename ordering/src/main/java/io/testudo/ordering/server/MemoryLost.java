package io.testudo.ordering.server;

import io.testudo.quorum.protocol.Event;

/**
 * Told when a server starts with an empty journal that should have a memory: it says nothing until
 * an operator lets it in again.
 */
public record MemoryLost() implements Event {}
