package io.testudo.bench.strawman;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.spi.Entropy;

/**
 * How long a loser sleeps: a fixed time and a random one, each equally likely. It does not grow,
 * which is why the strawman collapses.
 */
public record RandomRetry(long leastNanos, long spreadNanos) {
  private static final long MILLI = 1_000_000L;

  public RandomRetry {
    checkArgument(leastNanos >= 0, "a sleep of %s ns is none", leastNanos);
    checkArgument(spreadNanos > 0, "a spread of %s ns is none", spreadNanos);
  }

  /** 0.4 s and up to 2 s more, for latencies of about 100 ms as in the paper's figures. */
  public static RandomRetry standard() {
    return new RandomRetry(400 * MILLI, 2_000 * MILLI);
  }

  long drawNanos(Entropy entropy) {
    return leastNanos + entropy.nextLong(spreadNanos);
  }
}
