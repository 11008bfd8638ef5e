package io.testudo.ordering.server;

import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.log.Rank;
import io.testudo.quorum.ClientId;
import org.jspecify.annotations.Nullable;

/**
 * Which client orders an object, as far as one server has heard. It is always the one with the
 * highest rank; only how soon things are done depends on it.
 */
final class Tenure {
  /**
   * Those who ask within this time of the first of them contend by rank; who comes later makes way.
   * Far more than the times differ that messages take, so that servers rarely disagree on it.
   */
  private static final long CONTEST = RankClock.ofMillis(256);

  private @Nullable ClientId holder;
  private boolean isOrdering;
  private long heardNanos;

  /** Of the first of those who ask. */
  private Rank first = Rank.NONE;

  /**
   * The ballot of the highest rank was heard of.
   *
   * @param orders whether it has got beyond asking: then others make way for it, whatever their
   *     rank
   */
  void heard(ClientId from, Rank rank, boolean orders, long nowNanos) {
    if (first.equals(Rank.NONE) || !putsOff(rank)) {
      first = rank; // Nobody asked before, or who did was waited for in vain.
    }
    isOrdering = orders || (isOrdering && from.equals(holder));
    holder = from;
    heardNanos = nowNanos;
  }

  /**
   * Whether one that only asks, of a higher rank, puts off who only asks. If all did, and came one
   * after the other, nobody would get further.
   */
  boolean putsOff(Rank newcomer) {
    return newcomer.time() - first.time() <= CONTEST;
  }

  /** The holder has given it up. */
  void end() {
    holder = null;
    isOrdering = false;
    first = Rank.NONE;
  }

  /** Who has it; nobody if the holder has been silent for so long that it may be gone. */
  @Nullable ClientId holder(long nowNanos, long courtesyNanos) {
    return nowNanos - heardNanos < courtesyNanos ? holder : null;
  }

  /** Whether the holder has got beyond asking what there is. */
  boolean isOrdering() {
    return isOrdering;
  }
}
