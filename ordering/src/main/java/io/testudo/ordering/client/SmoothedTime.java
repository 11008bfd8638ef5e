package io.testudo.ordering.client;

/**
 * How long something takes, smoothed, with its deviation (as TCP has it, RFC 6298). What waits for
 * it should wait for longer than it usually takes, and not for much longer.
 */
final class SmoothedTime {
  private static final long LEAST_LATE_NANOS = 500_000L;

  private long meanNanos = -1;
  private long deviationNanos;
  private long leastNanos = Long.MAX_VALUE;

  void measured(long nanos) {
    leastNanos = Math.min(leastNanos, nanos);
    if (meanNanos < 0) {
      meanNanos = nanos;
      deviationNanos = nanos / 2;
    } else {
      // What takes much longer has waited for something else, as for one that died.
      long usualNanos = Math.min(nanos, 2 * meanNanos);
      deviationNanos += (Math.abs(usualNanos - meanNanos) - deviationNanos) / 4;
      meanNanos += (usualNanos - meanNanos) / 8;
    }
  }

  /** Whether it takes much longer than it need: most of that is waiting for those who do it. */
  boolean isInflated() {
    return meanNanos > 2 * leastNanos;
  }

  boolean isKnown() {
    return meanNanos >= 0;
  }

  /** What it takes; 0 if that is not known. */
  long meanNanos() {
    return Math.max(0, meanNanos);
  }

  /** What takes longer than this is late. Only if it is known. */
  long lateNanos() {
    return meanNanos + Math.max(LEAST_LATE_NANOS, meanNanos / 4) + 4 * deviationNanos;
  }

  /** What it hardly ever takes; 0 if that is not known. */
  long mostNanos() {
    return isKnown() ? 2 * meanNanos + 4 * deviationNanos : 0;
  }
}
