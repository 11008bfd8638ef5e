package io.testudo.bench.measure;

/**
 * The figures of one contestant in one round.
 *
 * @param operations how many ended within the round
 * @param opsPerSecond these, per second of the round
 * @param p50Nanos the median of all operations that were begun, also of those that ended late
 * @param p99Nanos the 99th percentile of the same
 * @param maxNanos the longest of the same
 */
public record Round(
    long operations, double opsPerSecond, long p50Nanos, long p99Nanos, long maxNanos) {}
