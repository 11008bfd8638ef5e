package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.protocol.Contender;

/**
 * One in the queue of a server.
 *
 * @param time of its request
 * @param leaseNanos what its newest message asked for
 * @param number of that message
 * @param heardNanos when that came
 */
record Waiting(Contender contender, long time, long leaseNanos, long number, long heardNanos)
    implements WaitingLine.Member {}
