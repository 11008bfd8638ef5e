package io.testudo.quorum.protocol;

/**
 * The time of a step, as the clocks of this process show it.
 *
 * @param nanos on a clock that never goes back; only differences mean anything
 * @param wallMillis since 1970, on a clock that may jump
 */
public record Moment(long nanos, long wallMillis) {}
