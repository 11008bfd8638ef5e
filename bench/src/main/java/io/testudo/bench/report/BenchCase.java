package io.testudo.bench.report;

import org.jspecify.annotations.Nullable;

/**
 * What was asked of all contestants alike.
 *
 * @param caseName one of the output contract, such as {@code ping}
 * @param loop {@code closed} or {@code open}
 * @param offeredPerSecond how many operations an open loop starts
 * @param connections {@code shared} or {@code separate}
 */
public record BenchCase(
    String bench,
    String caseName,
    int servers,
    int byzantine,
    int clients,
    double secondsPerRound,
    String loop,
    @Nullable Double offeredPerSecond,
    String connections,
    int answersAwaited) {}
