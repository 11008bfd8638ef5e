package io.testudo.node.advice;

import io.testudo.quorum.ServerId;

/**
 * What a lock is wanted for.
 *
 * @param liars how many servers may lie
 * @param away how many others may be down, or lose their memory, at the same time
 * @param rttMillis the round trip to a server
 * @param contenders that want the lock at the same time
 * @param holdMillis for how long each of them needs it
 * @param serverLifeSeconds how long a server runs on average until it loses its memory
 * @param acceptedRisk the highest probability of two holders, for one hold, that is accepted
 */
record Deployment(
    int servers,
    int liars,
    int away,
    double rttMillis,
    int contenders,
    double holdMillis,
    double serverLifeSeconds,
    double acceptedRisk) {
  /** The most members of a ring that advice is given for. */
  static final int MAX_MEMBERS = 100_000;

  /** More servers than a cluster can have. */
  boolean isRing() {
    return servers > ServerId.MAX_SERVERS;
  }
}
