package io.testudo.bench.reproduce;

import org.jspecify.annotations.Nullable;

/**
 * One figure beside what is claimed of it. What does not apply is null, and absent.
 *
 * @param table one of the tables that are printed
 * @param figure what is compared: {@code entriesPerSecond}, {@code waitMillis}, {@code
 *     messagesPerEntry} or {@code probability}
 * @param latencyMillis the range
 * @param clients in a closed loop: all but one of them wait
 * @param theory what follows from the model by computation
 * @param claimed by the papers or the design
 * @param holds whether the claim does; absent if nothing is claimed of this point
 */
record FigureRow(
    String reproduction,
    String table,
    String protocol,
    String figure,
    int servers,
    int grants,
    @Nullable String latencyMillis,
    @Nullable Double requestsPerSecond,
    @Nullable Double serverLifeSeconds,
    @Nullable Integer clients,
    double measured,
    @Nullable Double theory,
    @Nullable Double claimed,
    @Nullable Double messagesPerEntry,
    @Nullable Integer waiting,
    @Nullable Boolean holds) {}
