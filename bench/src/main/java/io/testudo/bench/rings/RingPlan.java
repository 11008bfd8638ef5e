package io.testudo.bench.rings;

import com.google.common.collect.ImmutableList;

/**
 * How much is run.
 *
 * @param runs of each point
 * @param nodes sizes of rings, for messages by size
 * @param loadNodes members, for the load of each
 * @param churnNodes members, for churn
 * @param churn members that come or go in a round
 * @param lifeSeconds mean lives of members under takeover; 0 for ever
 * @param waiters that wait for a holder which dies
 * @param maliciousPercent shares of the space that liars have
 * @param quorumPercent shares of the space that win
 */
record RingPlan(
    int runs,
    ImmutableList<Integer> nodes,
    int loadNodes,
    int churnNodes,
    ImmutableList<Integer> churn,
    ImmutableList<Integer> lifeSeconds,
    int waiters,
    ImmutableList<Integer> maliciousPercent,
    ImmutableList<Integer> quorumPercent) {
  static RingPlan full() {
    return new RingPlan(
        10,
        ImmutableList.of(1_000, 2_000, 4_000, 10_000),
        1_000,
        300,
        ImmutableList.of(0, 30, 100, 250),
        ImmutableList.of(0, 10_000, 1_000, 100, 30),
        10,
        ImmutableList.of(0, 10, 20, 30, 40, 50, 60),
        ImmutableList.of(60, 70, 75, 80, 90));
  }

  static RingPlan quick() {
    return new RingPlan(
        2,
        ImmutableList.of(250, 1_000),
        250,
        150,
        ImmutableList.of(0, 30, 100),
        ImmutableList.of(0, 1_000, 30),
        10,
        ImmutableList.of(0, 20, 40, 60),
        ImmutableList.of(60, 75, 90));
  }
}
