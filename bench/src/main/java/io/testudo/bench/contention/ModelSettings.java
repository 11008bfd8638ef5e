package io.testudo.bench.contention;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * The model that all variants share.
 *
 * @param thresholds of the servers
 * @param holdNanos for how long a turn is asked
 * @param deltaNanos the bound of a one-way delay
 * @param refreshNanos how often those in a waiting list show that they wait
 * @param turnsPerUnit with which rate contenders arrive, in a Poisson process; null if all begin
 *     together
 */
record ModelSettings(
    Thresholds thresholds,
    long holdNanos,
    long deltaNanos,
    long refreshNanos,
    Delays delays,
    @Nullable Double turnsPerUnit) {
  /** Without a hold per call, every turn takes this many times what was asked. */
  static final int LONGEST_HOLD_FACTOR = 4;

  private static final long MAX_SKEW_MILLIS = 10_000;

  /** The paper's unit of time: a hold and a round trip. */
  double unitNanos() {
    return holdNanos + 2.0 * deltaNanos;
  }

  /** Without waiters there are no refreshes that a window would have to allow for. */
  LockTiming timing(boolean waitingList) {
    long windowPartNanos = waitingList ? refreshNanos : 1;
    return new LockTiming(
        deltaNanos, 0, windowPartNanos, LONGEST_HOLD_FACTOR * holdNanos, MAX_SKEW_MILLIS);
  }
}
