package io.testudo.node.demo;

import io.testudo.mutex.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the lock protects: it lets in whoever comes, and notes what must not be. All holders are in
 * this process, so one clock measures all leases: two that are held at one moment overlap.
 */
final class LockWatch {
  private final Map<String, Holder> inside = new HashMap<>();
  private final TreeSet<String> waiting = new TreeSet<>();
  private final List<String> overlaps = new ArrayList<>();
  private @Nullable Holder last;
  private long highestFence;
  private long entries;
  private long late;

  private record Holder(String name, long fence, BooleanSupplier holds) {}

  /**
   * How it stands.
   *
   * @param holder who is inside; null if nobody is
   * @param fence of the last one who came in
   */
  record View(
      @Nullable String holder,
      long fence,
      List<String> waiting,
      long entries,
      long late,
      List<String> overlaps) {}

  synchronized void waits(String name) {
    waiting.add(name);
  }

  synchronized void waitsNoMore(String name) {
    waiting.remove(name);
  }

  /** Comes in with a lease; false if it had ended already, so that its token would be refused. */
  boolean enter(String name, Lease lease) {
    return enter(name, lease.fencingToken(), lease::isHeld);
  }

  synchronized boolean enter(String name, long fence, BooleanSupplier holds) {
    waiting.remove(name);
    Holder fresh = new Holder(name, fence, holds);
    if (!holds.getAsBoolean()) {
      late++;
      return false;
    }
    // This one held just now. Whoever is inside and holds now did so then, too.
    compareWithOthers(fresh);
    // A larger token was given later, when this lease had ended: but it has not.
    if (fence <= highestFence) {
      overlaps.add(
          "%s came in with fence %d after %d was seen".formatted(name, fence, highestFence));
    }
    highestFence = Math.max(highestFence, fence);
    entries++;
    last = fresh;
    inside.put(name, fresh);
    return true;
  }

  /** Goes out, before the lease is given back. */
  synchronized void leave(String name) {
    Holder leaving = inside.remove(name);
    if (leaving != null && leaving.holds().getAsBoolean()) {
      compareWithOthers(leaving);
    }
  }

  private void compareWithOthers(Holder one) {
    for (Holder other : inside.values()) {
      if (other.holds().getAsBoolean()) {
        overlaps.add(
            "%s with fence %d and %s with fence %d held at one time"
                .formatted(one.name(), one.fence(), other.name(), other.fence()));
      }
    }
  }

  synchronized View view() {
    String holder = last != null && inside.containsKey(last.name()) ? last.name() : null;
    return new View(
        holder, highestFence, List.copyOf(waiting), entries, late, List.copyOf(overlaps));
  }
}
