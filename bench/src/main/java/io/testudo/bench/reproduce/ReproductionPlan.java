package io.testudo.bench.reproduce;

import com.google.common.primitives.ImmutableDoubleArray;

/**
 * How long to look, in virtual time.
 *
 * @param collapseSeconds how long the strawman is given to collapse before its entries are counted
 * @param maxWaiting with the strawman: more are turned away, or a collapsed run would take for ever
 * @param aloneEntries of clients that come one after the other
 * @param repeats of the closed loop, each with other latencies
 */
record ReproductionPlan(
    double warmUpSeconds,
    double seconds,
    double collapseSeconds,
    double strawmanSeconds,
    double closedSeconds,
    int maxWaiting,
    int aloneEntries,
    int repeats,
    ImmutableDoubleArray sigmaRates,
    ImmutableDoubleArray strawmanRates) {
  /** The highest rate: far more than can enter. */
  static final double HIGHEST_RATE = 8;

  /** The rate below saturation at which messages are counted. */
  static final double BUSY_RATE = 3.5;

  static ReproductionPlan full() {
    return new ReproductionPlan(
        60,
        300,
        300,
        600,
        600,
        100,
        500,
        4,
        ImmutableDoubleArray.of(0.5, 1, 2, 3, BUSY_RATE, 4, 4.5, 5, 6, HIGHEST_RATE),
        ImmutableDoubleArray.of(0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4));
  }

  static ReproductionPlan quick() {
    return new ReproductionPlan(
        20,
        60,
        300,
        100,
        60,
        60,
        50,
        1,
        ImmutableDoubleArray.of(1, BUSY_RATE, 6, HIGHEST_RATE),
        ImmutableDoubleArray.of(0.5, 1, 1.5, 3));
  }
}
