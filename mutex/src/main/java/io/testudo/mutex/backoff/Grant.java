package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.Contender;

/**
 * A lock granted at one server.
 *
 * @param time of the owner's rank
 * @param number the owner's request that was known when the end was set
 * @param lockedUntilNanos on the server's monotonic clock
 */
record Grant(Contender owner, long time, long number, long lockedUntilNanos) {
  boolean isOf(Contender contender, long attemptTime) {
    return time == attemptTime && owner.equals(contender);
  }

  /** The grant is good at its last instant, too. */
  boolean isOver(long nowNanos) {
    return nowNanos - lockedUntilNanos > 0;
  }

  /** The same with a later end; it never moves back. */
  Grant extended(long untilNanos, long requestNumber) {
    return new Grant(
        owner,
        time,
        Math.max(number, requestNumber),
        untilNanos - lockedUntilNanos > 0 ? untilNanos : lockedUntilNanos);
  }
}
