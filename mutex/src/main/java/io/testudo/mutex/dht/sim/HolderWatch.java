package io.testudo.mutex.dht.sim;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.sim.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sees who holds which lock, and that no two do at once. Where two do all the same, no replica may
 * have voted for both without a loss of memory between: that would be the protocol's fault, however
 * many replicas were reset.
 */
public final class HolderWatch {
  /** A lock that is held by a node. */
  public record Hold(RunningNode node, String lock, long token) {}

  private final Map<String, List<Hold>> holds = new HashMap<>();
  private final Map<Hold, Term> terms = new HashMap<>();
  private final boolean mayBreak;
  private long entered;
  private long overlaps;

  /**
   * Begins to watch.
   *
   * @param mayBreak whether more replicas are reset than the mutex tolerates: then two holders are
   *     counted, unless a replica that forgot nothing voted for both
   */
  public HolderWatch(boolean mayBreak) {
    this.mayBreak = mayBreak;
  }

  /** Somebody holds a lock from now on. */
  public void entered(RunningNode node, String lock, long token) {
    entered++;
    List<Hold> present = holds.computeIfAbsent(lock, unused -> new ArrayList<>());
    present.removeIf(hold -> !hold.node().lives());
    present.removeIf(this::isOver);
    Hold fresh = new Hold(node, lock, token);
    for (Hold other : present) {
      overlaps++;
      String both = "%s is held by %s and %s".formatted(lock, other.node().id(), node.id());
      if (!mayBreak) {
        throw Violation.safety(both + " at once");
      }
      int shared = shared(other, fresh);
      if (shared > 0) {
        throw Violation.safety(
            "%s, and %d replicas that forgot nothing voted for both".formatted(both, shared));
      }
    }
    present.add(fresh);
  }

  /**
   * Somebody holds a lock for so long, on its own clock. One that sleeps beyond that is told of its
   * loss only when it wakes up.
   */
  public void lasts(RunningNode node, String lock, long token, Term term) {
    terms.put(new Hold(node, lock, token), term);
  }

  private boolean isOver(Hold hold) {
    Term term = terms.get(hold);
    return term != null && term.isOver(hold.node().now());
  }

  private static int shared(Hold one, Hold other) {
    ImmutableMap<Integer, GrantId> ones = one.node().grants(one.lock(), one.token());
    ImmutableMap<Integer, GrantId> others = other.node().grants(other.lock(), other.token());
    int shared = 0;
    for (Map.Entry<Integer, GrantId> vote : ones.entrySet()) {
      GrantId same = others.get(vote.getKey());
      shared += same != null && same.incarnation() == vote.getValue().incarnation() ? 1 : 0;
    }
    return shared;
  }

  /** It holds the lock no more, or is about to say so. */
  public void left(RunningNode node, String lock, long token) {
    holds.getOrDefault(lock, List.of()).remove(new Hold(node, lock, token));
    terms.remove(new Hold(node, lock, token));
  }

  /** Whether this is held. */
  public boolean isHeld(RunningNode node, String lock, long token) {
    return holds.getOrDefault(lock, List.of()).contains(new Hold(node, lock, token));
  }

  /** How often a lock was entered. */
  public long entries() {
    return entered;
  }

  /** How often somebody entered a lock that another held. */
  public long overlaps() {
    return overlaps;
  }
}
