package io.testudo.quorum.sim;

import org.jspecify.annotations.Nullable;

/**
 * How one run ended.
 *
 * @param violation what was broken, or null
 */
public record ScenarioResult(long seed, RunStats stats, @Nullable Violation violation) {}
