package io.testudo.quorum.protocol;

/**
 * What one machine sends to the other. Implemented by records with value semantics; each has a
 * permanent number and a maximal length on the wire.
 */
public interface Message {}
