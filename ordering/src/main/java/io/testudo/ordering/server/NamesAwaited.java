package io.testudo.ordering.server;

import io.testudo.quorum.protocol.Event;

/**
 * A server that lost its memory was told which names others know, or was not yet.
 *
 * @param awaited whether it takes every object that it does not know for one that it has forgotten
 */
public record NamesAwaited(boolean awaited) implements Event {}
