package io.testudo.quorum.protocol;

/** Placeholder of this commit only. */
public abstract class Machine<P> {}
