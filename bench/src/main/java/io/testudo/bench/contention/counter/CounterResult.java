package io.testudo.bench.contention.counter;

import com.google.common.primitives.ImmutableLongArray;

/**
 * What one run gave.
 *
 * @param increments that ended in the time that was measured
 * @param reads that did
 * @param measuredNanos how long that was
 * @param messages sent in it
 * @param waitNanos how long increments took; of a run in which clients die, those that were under
 *     way then
 * @param readNanos how long reads took
 */
record CounterResult(
    long increments,
    long reads,
    long measuredNanos,
    long messages,
    ImmutableLongArray waitNanos,
    ImmutableLongArray readNanos) {}
