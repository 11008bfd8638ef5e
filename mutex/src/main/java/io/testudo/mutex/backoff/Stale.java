package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: STALE, your rank is not above the last one here.
 *
 * @param time of the attempt that this answers
 * @param number of the request that this answers
 * @param last the highest rank that was granted here
 */
public record Stale(long time, long number, SealedRank last) implements Message {}
