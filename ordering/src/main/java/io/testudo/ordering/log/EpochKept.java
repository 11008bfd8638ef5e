package io.testudo.ordering.log;

import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: another server's memory of an object began anew.
 *
 * @param object empty for every object, also such that is not known yet
 */
public record EpochKept(String object, MemoryEpoch epoch) implements StateRecord {}
