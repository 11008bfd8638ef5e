package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Event;

/**
 * Told by a server machine at its start, if it grants no lock until all that it may have granted
 * before is over.
 *
 * @param nanos for how long
 */
public record GrantsLater(long nanos) implements Event {}
