package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: REFUSED, this will not be granted, as things stand.
 *
 * @param time of the epoch that this answers
 */
public record SigmaRefused(long time, RefusalReason reason, long limit) implements Message {}
