package io.testudo.ordering.sim;

import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Statement;
import java.util.Optional;

/**
 * The highest that a server was seen to have.
 *
 * @param starts how often it had been started
 */
record ServerSighting(
    long starts, Rank rank, Optional<Statement> proposed, Optional<Statement> committed) {
  /** Whether something is lower now. One that gives way to a snapshot is gone, and not lower. */
  boolean fellTo(ServerSighting now) {
    return rank.compareTo(now.rank) > 0
        || proposalFell(now)
        || committedVersion() > now.committedVersion();
  }

  private boolean proposalFell(ServerSighting now) {
    if (proposed.isEmpty() || now.proposed.isEmpty()) {
      return false;
    }
    int byRank = proposed.get().rank().compareTo(now.proposed.get().rank());
    return byRank > 0
        || (byRank == 0 && proposed.get().state().version() > now.proposed.get().state().version());
  }

  long committedVersion() {
    return committed.map(said -> said.state().version()).orElse(0L);
  }
}
