package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.LockView;
import io.testudo.mutex.protocol.SealedRank;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one server knows of one lock. */
final class LockState {
  /** Beyond so many marks the oldest goes; its loss may cost time, never exclusion. */
  private static final int MAX_MARKS = 1_024;

  final String name;
  final Waiters waiters = new Waiters();

  /** The highest rank granted here, or what counts as such. */
  SealedRank last;

  /** Whether {@link #last} was granted here since this state was made, and so is exact. */
  boolean lastIsKnown;

  /** Whether the owner of {@link #last} has given the lock back. */
  boolean lastIsReleased;

  @Nullable Grant grant;

  /** Attempts that were withdrawn: a request of theirs that comes after that is stale. */
  private final Map<Contender, Long> withdrawn =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Contender, Long> eldest) {
          return size() > MAX_MARKS;
        }
      };

  LockState(String name, SealedRank floor) {
    this.name = name;
    this.last = floor;
  }

  void markWithdrawn(Contender contender, long time) {
    withdrawn.merge(contender, time, Math::max);
  }

  boolean isWithdrawn(Contender contender, long time) {
    Long upTo = withdrawn.get(contender);
    return upTo != null && time <= upTo;
  }

  /** Whether nothing here is needed but the last rank. */
  boolean isIdle(long nowNanos) {
    return waiters.isEmpty() && (grant == null || grant.isOver(nowNanos));
  }

  /** What there is to tell of it. */
  LockView view(long nowNanos) {
    Optional<LockView.Holding> holding =
        grant == null || grant.isOver(nowNanos)
            ? Optional.empty()
            : Optional.of(
                new LockView.Holding(
                    grant.owner().user(), grant.time(), grant.lockedUntilNanos() - nowNanos));
    return new LockView(name, holding, waiters.first(LockView.MAX_WAITERS), waiters.size());
  }
}
