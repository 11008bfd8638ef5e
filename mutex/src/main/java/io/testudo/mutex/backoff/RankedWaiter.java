package io.testudo.mutex.backoff;

import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.SealedRank;

/**
 * A contender in the delayed reply list of Chockler, Malkhi and Reiter.
 *
 * @param leaseNanos what it asked for
 * @param number its newest request
 * @param heardNanos when that came
 */
record RankedWaiter(
    Contender contender, SealedRank rank, long leaseNanos, long number, long heardNanos)
    implements WaitingLine.Member {
  @Override
  public long time() {
    return rank.time();
  }

  @Override
  public long awaitedNanos() {
    return heardNanos;
  }

  /** Whether this is newer than what its contender said before. */
  boolean isNewerThan(RankedWaiter before) {
    return before.time() == time() ? before.number <= number : before.time() < time();
  }
}
