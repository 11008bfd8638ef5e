package io.testudo.bench.contention;

import com.google.common.primitives.ImmutableLongArray;

/**
 * What one run gave.
 *
 * @param turns how many there were
 * @param totalNanos from the begin until the last turn was over
 * @param waitNanos of the contenders that come once, from begin to entry, sorted
 * @param returningWaitNanos the mean wait of the one who comes again and again; 0 without
 * @param messages that were sent
 * @param overlaps entries while another was inside
 * @param ended whether all had their turn; if not, the other figures mean nothing
 */
record ContentionResult(
    int turns,
    long totalNanos,
    ImmutableLongArray waitNanos,
    double returningWaitNanos,
    long messages,
    int overlaps,
    boolean ended) {
  double amortisedNanos() {
    return (double) totalNanos / turns;
  }
}
