package io.testudo.quorum;

/**
 * Whom a client asks first. It may differ from client to client and from call to call: what counts
 * is which servers have answered, whoever was asked ({@link QuorumKind}).
 */
public enum Access {
  /** All servers. Nobody who is silent is waited for. */
  ALL,
  /**
   * One quorum, and the others as soon as one of it is late, refuses or contradicts. The load of
   * servers is less; a server that fails costs a round trip until it is avoided.
   */
  QUORUM
}
