package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.protocol.Moment;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Whom one request has asked, and who has not answered yet. Where members may lie no vote counts
 * before all have been heard or had the time to answer: else a few liars that are quick could share
 * all space among themselves before the client has heard of anybody else. Once it is over it
 * remains so.
 */
final class RollCall {
  /** Liars that name ever more members make it last so many times longer at most. */
  private static final int LONGEST = 3;

  private final SilentMembers silent;
  private final long answerNanos;
  private final Map<NodeId, Long> awaited = new LinkedHashMap<>();
  private final Set<NodeId> heard = new HashSet<>();
  private boolean begun;
  private boolean over;
  private long endNanos;

  /**
   * Of one request.
   *
   * @param answerNanos how long each may take; 0 where nobody lies, and nobody is waited for
   */
  RollCall(SilentMembers silent, long answerNanos) {
    this.silent = silent;
    this.answerNanos = answerNanos;
    this.over = answerNanos == 0;
  }

  void asked(NodeId member, Moment now) {
    if (over) {
      return;
    }
    if (!begun) {
      begun = true;
      endNanos = now.nanos() + longestNanos(answerNanos);
    }
    if (!heard.contains(member) && !silent.has(member, now)) {
      awaited.putIfAbsent(member, now.nanos());
    }
  }

  void answered(NodeId member) {
    silent.heard(member);
    if (!over) {
      heard.add(member);
      awaited.remove(member);
    }
  }

  /** So long it lasts at most, from its first question on. */
  static long longestNanos(long answerNanos) {
    return LONGEST * answerNanos;
  }

  /** Whether votes count by now. */
  boolean isOver(Moment now) {
    if (over || !begun) {
      return over;
    }
    Iterator<Map.Entry<NodeId, Long>> all = awaited.entrySet().iterator();
    while (all.hasNext()) { // Those that were asked first come first.
      Map.Entry<NodeId, Long> one = all.next();
      if (now.nanos() - one.getValue() < answerNanos) {
        break;
      }
      silent.note(one.getKey(), now);
      all.remove();
    }
    over = awaited.isEmpty() || now.nanos() - endNanos >= 0;
    if (over) {
      awaited.clear();
      heard.clear();
    }
    return over;
  }

  /** Whether it was over when that was asked last. */
  boolean wasOver() {
    return over;
  }

  /** When time alone may end it, or brings it nearer to its end. */
  long leftNanos(Moment now) {
    if (over || awaited.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long askedNanos = awaited.values().iterator().next();
    return Math.min(askedNanos + answerNanos, endNanos) - now.nanos();
  }
}
