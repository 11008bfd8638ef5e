package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.measure.Result;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One work, and what each system reached in it: only these compare with each other. */
record PeerColumn(PeerWork work, ImmutableList<Cell> cells) {
  /**
   * What one system reached.
   *
   * @param result null if it failed
   * @param failure why; null if it did not
   */
  record Cell(Peer peer, String version, @Nullable Result result, @Nullable String failure) {
    /** Operations a second; 0 if it failed. */
    double rate() {
      return result == null ? 0 : result.opsPerSecond().median();
    }
  }

  /** Testudo as deployed, if it was measured. */
  Optional<Cell> testudo() {
    return cells.stream()
        .filter(cell -> cell.peer().name().equals(Peers.TESTUDO) && cell.rate() > 0)
        .findFirst();
  }

  /** The fastest other system. */
  Optional<Cell> bestPeer() {
    return best(peer -> true);
  }

  /** The fastest other system that loses nothing with one server. */
  Optional<Cell> bestReplicatedPeer() {
    return best(Peer::isReplicated);
  }

  /** The fastest other system that is replicated and keeps promises as this one does. */
  Optional<Cell> bestLike(Peer own) {
    boolean keeps = own.durability(work.kind()).keepsPromises();
    return best(
        peer -> peer.isReplicated() && peer.durability(work.kind()).keepsPromises() == keeps);
  }

  private Optional<Cell> best(Predicate<Peer> condition) {
    return cells.stream()
        .filter(cell -> !cell.peer().isOwn() && cell.rate() > 0 && condition.test(cell.peer()))
        .max(Comparator.comparingDouble(Cell::rate));
  }
}
