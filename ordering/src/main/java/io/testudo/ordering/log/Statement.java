package io.testudo.ordering.log;

import io.testudo.crypto.Seal;
import java.util.Optional;

/**
 * That a state was proposed, or committed, at a rank.
 *
 * @param seal of the client that says so, where statements are sealed
 */
public record Statement(Rank rank, StateId state, Optional<Seal> seal) {
  /** The order in which proposals replace each other: by rank first. */
  public boolean isNewerThan(Statement other) {
    int byRank = rank.compareTo(other.rank);
    return byRank > 0 || (byRank == 0 && state.version() > other.state.version());
  }
}
