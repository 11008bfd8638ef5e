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
 */
record RingPlan(
    int runs,
    ImmutableList<Integer> nodes,
    int loadNodes,
    int churnNodes,
    ImmutableList<Integer> churn) {
  static RingPlan full() {
    return new RingPlan(
        10,
        ImmutableList.of(1_000, 2_000, 4_000, 8_000),
        1_000,
        1_000,
        ImmutableList.of(0, 50, 150, 400, 750));
  }

  static RingPlan quick() {
    return new RingPlan(2, ImmutableList.of(250, 1_000), 250, 250, ImmutableList.of(0, 50, 150));
  }
}
