package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.overlay.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sees that churn resets no more replicas of a lock than a run is to have: of each lock, so many
 * different ones in the time in which one reset can still matter.
 */
final class ResetBudget {
  private record Replica(String lock, int index) {}

  private final RingWorld world;
  private final List<String> locks;
  private final int replicas;
  private final int resets;
  private final long windowNanos;
  private final Map<Replica, Long> lastReset = new HashMap<>();

  ResetBudget(RingWorld world, List<String> locks, int replicas, int resets, long windowNanos) {
    this.world = world;
    this.locks = locks;
    this.replicas = replicas;
    this.resets = resets;
    this.windowNanos = windowNanos;
  }

  /** The replicas that are at this member, or would be if it was one. */
  private Set<Replica> at(NodeId node) {
    boolean isNew = !world.members().contains(node);
    if (isNew) {
      world.members().add(node);
    }
    Set<Replica> here = new HashSet<>();
    for (String lock : locks) {
      for (int i = 0; i < replicas; i++) {
        if (world.members().owner(ReplicaKeys.of(lock, i)).equals(node)) {
          here.add(new Replica(lock, i));
        }
      }
    }
    if (isNew) {
      world.members().remove(node);
    }
    return here;
  }

  /** Whether this member may come or go now; if so, that is noted. */
  boolean spend(NodeId node) {
    Set<Replica> changed = at(node);
    for (String lock : locks) {
      Set<Replica> recent = new HashSet<>();
      lastReset.forEach(
          (replica, when) -> {
            if (replica.lock().equals(lock) && world.nowNanos() - when < windowNanos) {
              recent.add(replica);
            }
          });
      changed.stream().filter(replica -> replica.lock().equals(lock)).forEach(recent::add);
      boolean touches = changed.stream().anyMatch(replica -> replica.lock().equals(lock));
      if (touches && recent.size() > resets) {
        return false;
      }
    }
    note(node);
    return true;
  }

  /** This member comes or goes now, whatever that costs. */
  void note(NodeId node) {
    at(node).forEach(replica -> lastReset.put(replica, world.nowNanos()));
  }
}
