package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Arrays;

/**
 * How long a round trip takes at most, as seen lately; the configured bound until something was
 * seen. Where servers may lie, as many as may do so do not count: slow ones would slow everybody.
 */
final class RoundTrips {
  private static final int SAMPLES = 64;
  private static final long LEAST_NANOS = 500_000L;

  private final long boundNanos;
  private final int counted;
  private long[] before;
  private long[] present;
  private int samples;

  RoundTrips(LockTiming timing, Thresholds thresholds) {
    this.boundNanos = timing.longestRoundTripNanos();
    boolean nobodyLies = thresholds.vouchers() == 1;
    this.counted = nobodyLies ? thresholds.servers() : thresholds.largestQuorum();
    this.before = new long[thresholds.servers()];
    this.present = new long[thresholds.servers()];
    Arrays.fill(before, 2 * timing.delayNanos());
  }

  void saw(ServerId server, long nanos) {
    present[server.index()] = Math.max(present[server.index()], Math.min(nanos, boundNanos));
    samples++;
    if (samples == SAMPLES) {
      before = present;
      present = new long[before.length];
      samples = 0;
    }
  }

  long longestNanos() {
    long[] longest = new long[before.length];
    Arrays.setAll(longest, i -> Math.max(LEAST_NANOS, Math.max(before[i], present[i])));
    Arrays.sort(longest);
    return longest[counted - 1];
  }

  /** The conflict timer: two round trips at their longest. */
  long graceNanos() {
    return 2 * longestNanos();
  }
}
