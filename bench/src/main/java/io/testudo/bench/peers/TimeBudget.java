package io.testudo.bench.peers;

import io.testudo.bench.measure.BenchClock;

/**
 * How much time a run may take. What has to be done takes what it takes; what is only better if it
 * is done is left out where it would leave too little for the rest.
 */
final class TimeBudget {
  /** What has to be done takes so much longer than planned: callers connect, and are checked. */
  private static final double OVERHEAD = 1.6;

  private final BenchClock clock;
  private final long startNanos;
  private final long limitNanos;
  private long aheadNanos;

  /** Kept for later parts of the run. */
  private long keptNanos;

  /**
   * A run begins.
   *
   * @param limitNanos for all of it; less than 0 for no limit
   * @param dutyNanos what has to be done, as planned
   */
  TimeBudget(BenchClock clock, long limitNanos, long dutyNanos) {
    this.clock = clock;
    this.startNanos = clock.nanos();
    this.limitNanos = limitNanos;
    this.aheadNanos = dutyNanos;
  }

  static TimeBudget unlimited() {
    return new TimeBudget(BenchClock.system(), -1, 0);
  }

  /** A part of what has to be done is over. */
  void done(long nanos) {
    aheadNanos = Math.max(0, aheadNanos - nanos);
  }

  /** A part of the run begins that may use this share of what is to spare by now. */
  void spend(double share) {
    keptNanos = (long) ((1 - share) * Math.max(0, spareNanos()));
  }

  /** Whether there is room for something more. */
  boolean allows(long nanos) {
    return limitNanos < 0 || nanos + keptNanos <= spareNanos();
  }

  private double spareNanos() {
    return limitNanos - (clock.nanos() - startNanos) - aheadNanos * OVERHEAD;
  }
}
