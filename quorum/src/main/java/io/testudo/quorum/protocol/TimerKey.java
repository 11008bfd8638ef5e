package io.testudo.quorum.protocol;

/**
 * The name of a timer. Implemented by records: two equal keys are the same timer, so setting one
 * again moves it.
 */
public interface TimerKey {}
