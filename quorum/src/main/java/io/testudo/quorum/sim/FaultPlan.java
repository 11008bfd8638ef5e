package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Entropy;

/**
 * How bad one run is to be; drawn from its seed. A probability of 0 switches a kind off, so that
 * runs differ in kind and not only in degree.
 *
 * @param loss of a message
 * @param duplication of a message
 * @param replay that a message is followed by an old one of the same link
 * @param minLatencyNanos of a message, one way
 * @param maxLatencyNanos of a message, one way
 * @param pause at each thing that a node waits for
 * @param suspend likewise, with the clock standing still
 * @param drift the most by which a clock's rate errs
 * @param skewMillis the most by which a wall clock is off
 * @param wallJump at each thing that a node waits for: its wall clock is set to another skew. Never
 *     back where nodes are suspended: no clock would be left that shows how much time has passed
 * @param crashAtWrite at each write and each sync of a server
 * @param nemesisNanos mean time between partitions, clogged links and crashes; 0 for none
 * @param clientCrashes whether clients die
 * @param smallestLogBytes from which on a log is replaced by a snapshot
 * @param chaosNanos how long all this lasts
 */
public record FaultPlan(
    double loss,
    double duplication,
    double replay,
    long minLatencyNanos,
    long maxLatencyNanos,
    double pause,
    double suspend,
    double drift,
    long skewMillis,
    double wallJump,
    double crashAtWrite,
    long nemesisNanos,
    boolean clientCrashes,
    long smallestLogBytes,
    long chaosNanos) {
  static final double MAX_LOSS = 0.3;
  static final double MAX_DUPLICATION = 0.5;
  static final double MAX_DRIFT = 0.05;
  private static final long LARGE_SKEW_MILLIS = 5_000;
  private static final long SMALL_SKEW_MILLIS = 50;
  private static final long MAX_SMALLEST_LOG_BYTES = 400;
  private static final long MILLI = 1_000_000L;

  /** A plan as testing asks for: loss to 30 %, duplication and replay to 50 %. */
  public static FaultPlan draw(Entropy entropy) {
    FaultPlan plan = drawOnce(entropy);
    while (plan.isMild()) {
      plan = drawOnce(entropy);
    }
    return plan;
  }

  /** Whether fewer than two kinds of faults would strike messages often. */
  private boolean isMild() {
    int strong = 0;
    for (double probability : new double[] {loss, duplication, replay}) {
      strong += probability > 0.05 ? 1 : 0;
    }
    return strong < 2;
  }

  private static FaultPlan drawOnce(Entropy entropy) {
    long minLatency = entropy.nextLong(2 * MILLI) + 1;
    return new FaultPlan(
        sometimes(entropy, MAX_LOSS),
        sometimes(entropy, MAX_DUPLICATION),
        sometimes(entropy, MAX_DUPLICATION),
        minLatency,
        minLatency + 1 + entropy.nextLong(20 * MILLI),
        sometimes(entropy, 0.05),
        sometimes(entropy, 0.02),
        sometimes(entropy, MAX_DRIFT),
        entropy.chance(0.3) ? LARGE_SKEW_MILLIS : SMALL_SKEW_MILLIS,
        sometimes(entropy, 0.02),
        sometimes(entropy, 0.05),
        entropy.chance(0.8) ? (50 + entropy.nextLong(400)) * MILLI : 0,
        entropy.chance(0.5),
        1 + entropy.nextLong(MAX_SMALLEST_LOG_BYTES),
        (1_000 + entropy.nextLong(2_000)) * MILLI);
  }

  /** A plan without faults, for tests of what must happen when all is well. */
  public static FaultPlan calm() {
    return new FaultPlan(
        0,
        0,
        0,
        MILLI,
        MILLI,
        0,
        0,
        0,
        SMALL_SKEW_MILLIS,
        0,
        0,
        0,
        false,
        MAX_SMALLEST_LOG_BYTES,
        1_000 * MILLI);
  }

  /** This plan with messages that take as long, clocks that err as much, and nothing else. */
  FaultPlan withoutFaults() {
    FaultPlan calm = calm();
    return new FaultPlan(
        0,
        0,
        0,
        minLatencyNanos,
        maxLatencyNanos,
        0,
        0,
        drift,
        calm.skewMillis,
        0,
        0,
        0,
        false,
        smallestLogBytes,
        1);
  }

  private static double sometimes(Entropy entropy, double most) {
    return entropy.chance(0.7) ? most * (0.1 + 0.9 * entropy.nextDouble()) : 0;
  }
}
