package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.protocol.Moment;

/** When an acquisition has something to do next, and whether that time has come. */
final class Agenda {
  /** Beyond this a wait would last longer than anyone waits. */
  private static final int MOST_DOUBLINGS = 16;

  private final LockTiming timing;
  private final BackoffTuning tuning;
  private final Pace pace;

  Agenda(LockTiming timing, BackoffTuning tuning, Pace pace) {
    this.timing = timing;
    this.tuning = tuning;
    this.pace = pace;
  }

  /** Whether it waits in the servers' lists. One who tries once does not. */
  boolean joins(Acquisition acquisition) {
    return tuning.waitingList() && !acquisition.call.triesOnce();
  }

  boolean isRefreshDue(Acquisition acquisition, Moment now) {
    return joins(acquisition) && untilRefreshNanos(acquisition, now) <= 0;
  }

  /**
   * Whether one that waits, and was called stale, should go on at a new rank. If as many servers
   * said so as may lie, it may be false, and a new rank is the last in the line: that is tried less
   * and less often, so that no liar keeps anybody at the end of it.
   */
  boolean isNewRankDue(Acquisition acquisition, Moment now) {
    Attempt attempt = acquisition.attempt();
    if (attempt.count(Attempt.Word.STALE) == 0 || attempt.hasFree()) {
      return false;
    }
    int doublings = attempt.isStaleForSure() ? 0 : Math.min(acquisition.newRanks, MOST_DOUBLINGS);
    return now.nanos() - attempt.firstSentNanos() >= timing.refreshNanos() << doublings;
  }

  /**
   * Whether the attempt should make way. One that waits may do so for ever, unless some servers
   * have granted it and others do not follow: two with half of the servers each would else keep
   * everybody out. Of these two the later one is called stale nowhere: it stays, and has all as
   * soon as the other has made way. If both made way, others could come in between again and again.
   * But only as long as the others let it wait: one that can no longer reach them makes way.
   */
  boolean isHopeless(Acquisition acquisition, Moment now) {
    Attempt attempt = acquisition.attempt();
    if (!joins(acquisition)) {
      return untilTooOldNanos(attempt, now) <= 0;
    }
    return untilHopelessNanos(attempt, now) <= 0;
  }

  /** How long from now until something is due. */
  long untilDueNanos(Acquisition acquisition, Moment now) {
    return acquisition.isSleeping
        ? Math.min(
            acquisition.call.patienceNanos(now, Long.MAX_VALUE),
            acquisition.wakeNanos - now.nanos())
        : untilDueWhileTrying(acquisition, now);
  }

  private long untilDueWhileTrying(Acquisition acquisition, Moment now) {
    long dueNanos = acquisition.call.patienceNanos(now, Long.MAX_VALUE);
    Attempt attempt = acquisition.attempt();
    if (!joins(acquisition)) {
      return Math.min(dueNanos, untilTooOldNanos(attempt, now));
    }
    dueNanos = Math.min(dueNanos, untilRefreshNanos(acquisition, now));
    return Math.min(dueNanos, untilHopelessNanos(attempt, now));
  }

  private long untilTooOldNanos(Attempt attempt, Moment now) {
    return pace.windowNanos() - (now.nanos() - attempt.lastSentNanos());
  }

  private long untilRefreshNanos(Acquisition acquisition, Moment now) {
    return timing.refreshNanos() - (now.nanos() - acquisition.attempt().lastSentNanos());
  }

  private long untilHopelessNanos(Attempt attempt, Moment now) {
    boolean isStale = attempt.count(Attempt.Word.STALE) > 0;
    boolean standsInLine = attempt.standsInLine(timing.waiterExpiryNanos(), now);
    if (!attempt.hasFree() || (standsInLine && !isStale)) {
      return Long.MAX_VALUE;
    }
    boolean isLost = attempt.isOutvoted() && !standsInLine;
    long hopeNanos = isLost ? pace.graceNanos() : pace.windowNanos();
    return hopeNanos - attempt.sinceFirstFreeNanos(now);
  }
}
