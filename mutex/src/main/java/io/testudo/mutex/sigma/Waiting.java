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
 * @param pauseNanos after how long it was told to ask again
 */
record Waiting(
    Contender contender, long time, long leaseNanos, long number, long heardNanos, long pauseNanos)
    implements WaitingLine.Member {

  /** It was told when to ask again, and is not expected before. */
  @Override
  public long awaitedNanos() {
    return heardNanos + pauseNanos;
  }

  Waiting withPause(long nanos) {
    return new Waiting(contender, time, leaseNanos, number, heardNanos, nanos);
  }
}
