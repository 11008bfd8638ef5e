package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.spi.Entropy;

/**
 * What a client has seen of delays and holds, and how long it sleeps for that. Moving averages: a
 * liar can make a client patient or impatient, and nothing worse.
 */
final class Pace {
  private static final double WEIGHT = 0.2;

  /** A grant that has not spread after so many round trips will not. */
  private static final int GRACE_ROUND_TRIPS = 4;

  private static final long LEAST_GRACE_NANOS = 500_000L;

  private final LockTiming timing;
  private final BackoffTuning tuning;
  private double roundTripNanos;
  private double occupancyNanos;

  Pace(LockTiming timing, BackoffTuning tuning) {
    this.timing = timing;
    this.tuning = tuning;
    this.roundTripNanos = 2.0 * timing.delayNanos();
  }

  void sawRoundTrip(long nanos) {
    double bounded = Math.min((double) Math.max(0, nanos), 2.0 * timing.delayNanos());
    roundTripNanos += WEIGHT * (bounded - roundTripNanos);
  }

  void sawOccupancy(long nanos) {
    occupancyNanos += WEIGHT * (Math.max(0, nanos) - occupancyNanos);
  }

  /** After so long one who does not back off tries again: sooner, it would leave nobody time. */
  long roundTripNanos() {
    return 1 + (long) roundTripNanos;
  }

  /** How long after its first grant a waiter hopes for the others. */
  long graceNanos() {
    double hoped = Math.max((double) LEAST_GRACE_NANOS, GRACE_ROUND_TRIPS * roundTripNanos);
    return (long) Math.min(hoped, 2.0 * timing.delayNanos());
  }

  /** A sleep before the next attempt. */
  long sleepNanos(int retry, long holdNanos, Entropy entropy) {
    double unit =
        tuning.paperUnit()
            ? holdNanos + 2.0 * timing.delayNanos()
            : Math.min((double) holdNanos, occupancyNanos) + roundTripNanos;
    double bound =
        Math.min(tuning.law().boundNanos(retry, unit), (double) tuning.longestSleepNanos());
    return 1 + (long) (entropy.nextDouble() * bound);
  }
}
