package io.testudo.quorum.protocol;

/** What a machine tells its surroundings without being asked. Implemented by records. */
public interface Event {}
