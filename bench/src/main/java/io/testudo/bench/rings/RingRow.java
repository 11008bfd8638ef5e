package io.testudo.bench.rings;

import org.jspecify.annotations.Nullable;

/**
 * One point beside what the paper claims of it. What does not apply is null, and absent.
 *
 * @param mutexMessages direct ones and hops, of all rounds
 * @param maintenanceMessages of the overlay, apart
 * @param ofSigmaDirect how many times as many messages Sigma needs that talks to replicas directly
 * @param ofSigmaRouted likewise, Sigma whose messages are all routed
 * @param holds whether the claim does; absent if nothing is claimed of this point
 */
record RingRow(
    String reproduction,
    String table,
    String backend,
    String routing,
    int nodes,
    int replicas,
    int resources,
    int churn,
    int runs,
    double mutexMessages,
    double maintenanceMessages,
    double entries,
    @Nullable Double ofSigmaDirect,
    @Nullable Double ofSigmaRouted,
    @Nullable Double loadMedian,
    @Nullable Double load99,
    @Nullable Double loadMost,
    @Nullable Boolean holds) {}
