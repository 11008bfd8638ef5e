package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Contender;

/**
 * A lock granted at one server.
 *
 * @param time of the owner's request, which with the owner names its attempt
 * @param number of the owner's message with which the end was set
 * @param untilNanos when it ends, on the server's monotonic clock
 */
public record LockGrant(Contender owner, long time, long number, long untilNanos) {
  /** Whether it was made to this attempt. */
  public boolean isOf(Contender contender, long attemptTime) {
    return time == attemptTime && owner.equals(contender);
  }

  /** The grant is good at its last instant, too. */
  public boolean isOver(long nowNanos) {
    return nowNanos - untilNanos > 0;
  }

  /** The same with a later end; it never moves back. */
  public LockGrant extended(long newUntilNanos, long messageNumber) {
    return new LockGrant(
        owner,
        time,
        Math.max(number, messageNumber),
        newUntilNanos - untilNanos > 0 ? newUntilNanos : untilNanos);
  }
}
