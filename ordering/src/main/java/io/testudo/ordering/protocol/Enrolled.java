package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: this server takes part.
 *
 * @param fromTheStart whether it knows all that it ever promised; if not, it lost its memory once
 */
public record Enrolled(boolean fromTheStart) implements StateRecord {}
