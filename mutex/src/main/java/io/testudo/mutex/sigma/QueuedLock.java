package io.testudo.mutex.sigma;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.Contender;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one server knows of one lock. */
final class QueuedLock {
  /** Beyond so many marks the oldest goes; its loss may cost time, never exclusion. */
  private static final int MAX_MARKS = 1_024;

  /** How fast the estimate of a turn follows what is seen. */
  private static final double WEIGHT = 0.2;

  final String name;
  final WaitingLine line = new WaitingLine();
  @Nullable Ownership owner;

  /** Names the present state of the owner; grows with each change. */
  long stateNumber;

  /** The highest fencing token that may have been used. */
  long usedFence;

  /** Whether the timer of this lock is set, and for when. */
  boolean timerIsSet;

  long timerNanos;
  long nextCheckNanos;

  private double turnNanos;
  private long lastLeftNanos;
  private boolean hasTurns;

  /** The newest epoch that each contender has left: what comes of it later is too late. */
  private final Map<Contender, Long> left =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Contender, Long> eldest) {
          return size() > MAX_MARKS;
        }
      };

  QueuedLock(String name, long usedFence, long stateNumber) {
    this.name = name;
    this.usedFence = usedFence;
    this.stateNumber = stateNumber;
  }

  void markLeft(Contender contender, long time) {
    left.merge(contender, time, Math::max);
  }

  boolean hasLeft(Contender contender, long time) {
    Long upTo = left.get(contender);
    return upTo != null && time <= upTo;
  }

  /** The time of a contender's entry, as owner or in the queue; 0 if there is none. */
  long entryOf(Contender contender) {
    if (owner != null && owner.contender().equals(contender)) {
      return owner.time();
    }
    Waiting waiting = line.find(contender);
    return waiting == null ? 0 : waiting.time();
  }

  /** An owner leaves: one more turn was seen. Times without an owner do not count. */
  void sawTurn(long sinceNanos, long nowNanos) {
    long fromNanos = hasTurns && lastLeftNanos - sinceNanos > 0 ? lastLeftNanos : sinceNanos;
    double lastedNanos = Math.max(0, nowNanos - fromNanos);
    turnNanos = hasTurns ? turnNanos + WEIGHT * (lastedNanos - turnNanos) : lastedNanos;
    lastLeftNanos = nowNanos;
    hasTurns = true;
  }

  /**
   * Tw = Tcs (P + 1/2), the informed backoff of the 2004 paper.
   *
   * @param guessNanos how long a turn takes, as long as none was seen
   */
  long waitNanos(long position, long guessNanos) {
    return (long) ((hasTurns ? turnNanos : guessNanos) * (position + 0.5));
  }

  boolean isIdle(long nowNanos) {
    return line.isEmpty() && (owner == null || owner.isOver(nowNanos));
  }

  /** What operators are told of it. */
  io.testudo.mutex.protocol.LockView listed(long nowNanos) {
    Ownership present = owner == null || owner.isOver(nowNanos) ? null : owner;
    List<Waiting> waiting = line.all();
    return new io.testudo.mutex.protocol.LockView(
        name,
        Optional.ofNullable(present)
            .map(
                held ->
                    new io.testudo.mutex.protocol.LockView.Holding(
                        held.contender().user(), held.fence(), held.untilNanos() - nowNanos)),
        waiting.stream()
            .limit(io.testudo.mutex.protocol.LockView.MAX_WAITERS)
            .map(each -> each.contender().user())
            .collect(ImmutableList.toImmutableList()),
        waiting.size());
  }
}
