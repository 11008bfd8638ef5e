package io.testudo.mutex.backoff;

import io.testudo.quorum.protocol.Event;

/**
 * Told by a server machine that has lost its memory.
 *
 * @param awaited whether it grants nothing until it is told how far ranks went, or was told now
 */
public record CeilingsAwaited(boolean awaited) implements Event {}
