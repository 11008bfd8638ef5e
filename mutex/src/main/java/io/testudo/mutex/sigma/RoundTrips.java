package io.testudo.mutex.sigma;

/**
 * How long a round trip takes at most, as seen lately; the configured bound until something was
 * seen, and never more than that.
 */
final class RoundTrips {
  private static final int SAMPLES = 64;
  private static final long LEAST_NANOS = 500_000L;

  private final long boundNanos;
  private long before;
  private long present;
  private int samples;

  RoundTrips(long delayNanos) {
    this.boundNanos = 2 * delayNanos;
    this.before = boundNanos;
  }

  void saw(long nanos) {
    present = Math.max(present, Math.min(nanos, boundNanos));
    samples++;
    if (samples == SAMPLES) {
      before = present;
      present = 0;
      samples = 0;
    }
  }

  long longestNanos() {
    return Math.min(boundNanos, Math.max(LEAST_NANOS, Math.max(before, present)));
  }

  /** The conflict timer: two round trips at their longest. */
  long graceNanos() {
    return 2 * longestNanos();
  }
}
