package io.testudo.bench.contention.counter;

/**
 * How much is measured of each case.
 *
 * @param seeds how many runs
 * @param increments of each run, and at least {@link #PER_CLIENT} of each client
 * @param deaths of each run in which clients die
 */
record CounterPlan(int seeds, int increments, int deaths) {
  private static final int PER_CLIENT = 20;
  private static final int READS_PER_INCREMENT = 50;

  int increments(int clients) {
    return Math.max(increments, PER_CLIENT * clients);
  }

  /** After so many reads a run ends, however few increments there were meanwhile. */
  int reads() {
    return READS_PER_INCREMENT * increments;
  }
}
