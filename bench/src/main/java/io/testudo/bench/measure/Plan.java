package io.testudo.bench.measure;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How long and how often to measure.
 *
 * @param rounds of each contestant
 * @param roundNanos of each round
 * @param warmUpNanos of each contestant before the first round, not counted; again and again while
 *     one of them gets faster
 */
public record Plan(int rounds, long roundNanos, long warmUpNanos) {
  public static final int MAX_ROUNDS = 1_000;
  public static final long MAX_ROUND_NANOS = 3_600_000_000_000L;

  public Plan {
    checkArgument(rounds >= 1 && rounds <= MAX_ROUNDS, "rounds: %s", rounds);
    checkArgument(roundNanos >= 1 && roundNanos <= MAX_ROUND_NANOS, "round: %s ns", roundNanos);
    checkArgument(
        warmUpNanos >= 0 && warmUpNanos <= MAX_ROUND_NANOS, "warm-up: %s ns", warmUpNanos);
  }
}
