package io.testudo.bench.reproduce;

import com.google.common.collect.ImmutableList;

/**
 * What is claimed of the protocols: by Lin, Lian, Chen and Zhang (2004), or, where their paper has
 * a curve but no numbers, by the reference that design and tests here were made with.
 */
final class Claims {
  static final int SERVERS = 32;
  static final int GRANTS = 24;

  /** How many clients come again and again while servers forget. */
  static final int CLOSED_LOOP_CLIENTS = 20;

  /**
   * One range of latencies.
   *
   * @param saturationPerSecond what Sigma reaches when more want to enter
   * @param aloneMillis how long one waits whom nobody disturbs
   * @param collapsePerSecond from which rate on nobody enters with the strawman
   */
  record OfLatency(
      Latency latency, double saturationPerSecond, double aloneMillis, double collapsePerSecond) {}

  /** Entries a second of the closed loop, by the mean life of a server. */
  record OfLife(double lifeSeconds, double perSecond) {}

  /** That exclusion is broken in a hold of 10 s, if servers live 10,000 s on average. */
  record OfExclusion(int servers, int grants, double probability) {}

  static final ImmutableList<OfLatency> LATENCIES =
      ImmutableList.of(
          new OfLatency(new Latency(90, 110), 4.87, 209, 3),
          new OfLatency(new Latency(50, 150), 4.40, 245, 1.5),
          new OfLatency(new Latency(0, 200), 3.93, 292, 1));

  static final ImmutableList<OfLife> LIVES =
      ImmutableList.of(
          new OfLife(Double.POSITIVE_INFINITY, 3.96),
          new OfLife(10_000, 3.96),
          new OfLife(1_000, 3.94),
          new OfLife(300, 3.88),
          new OfLife(100, 3.80),
          new OfLife(30, 3.44));

  static final ImmutableList<OfExclusion> EXCLUSION =
      ImmutableList.of(
          new OfExclusion(4, 3, 3.0e-6),
          new OfExclusion(8, 6, 1.5e-11),
          new OfExclusion(16, 12, 4.9e-22),
          new OfExclusion(32, 22, 6.4e-31),
          new OfExclusion(32, 24, 7.3e-43));

  /** The figure of the 2004 paper, which counts all 32 servers. */
  static final OfExclusion EXCLUSION_OF_PAPER = new OfExclusion(SERVERS, GRANTS, 5.9e-40);

  /** So many clients wait at a time; what an entry costs must not depend on it. */
  static final ImmutableList<Integer> WAITERS = ImmutableList.of(5, 20, 60, 200);

  /** In times n, with the settings of a cluster as it is deployed. */
  static final int MOST_MESSAGES = 5;

  static final double HOLD_SECONDS = 10;
  static final double LIFE_SECONDS = 10_000;

  private Claims() {}
}
