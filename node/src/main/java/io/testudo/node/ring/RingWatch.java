package io.testudo.node.ring;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees who wants the lock, has it and gives it back, and whether two have it at once. One that is
 * killed has it until its lease would have ended: it might have stood still instead.
 */
final class RingWatch {
  private final Set<String> waiting = new LinkedHashSet<>();
  private final Map<String, Integer> entries = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private @Nullable String holder;

  /** Until when one may believe to hold the lock that was killed. */
  private long deadUntilNanos = Long.MIN_VALUE;

  private @Nullable String dead;
  private @Nullable String told;
  private boolean keepsNext;
  private int all;
  private boolean over;

  synchronized void asks(String name) {
    waiting.add(name);
    notifyAll();
  }

  /**
   * One has the lock.
   *
   * @param nowNanos when it saw so
   */
  synchronized void enters(String name, long nowNanos) {
    waiting.remove(name);
    if (holder != null) {
      problems.add("%s entered while %s held the lock".formatted(name, holder));
    }
    if (dead != null && nowNanos - deadUntilNanos < 0) {
      problems.add(
          "%s entered %d ms before the lease of %s, which was killed, had ended"
              .formatted(name, (deadUntilNanos - nowNanos) / 1_000_000, dead));
    }
    holder = name;
    all++;
    entries.merge(name, 1, Integer::sum);
    notifyAll();
  }

  synchronized void leaves(String name) {
    if (name.equals(holder)) {
      holder = null;
    }
    notifyAll();
  }

  /** A caller was told that it does not get the lock, or lost it. */
  synchronized void endsWithout(String name) {
    waiting.remove(name);
    leaves(name);
  }

  /** One is killed that has the lock, by a lease until then. */
  synchronized void diesHolding(String name, long untilNanos) {
    dead = name;
    deadUntilNanos = untilNanos;
    leaves(name);
  }

  synchronized void diesWaiting(String name) {
    waiting.remove(name);
    notifyAll();
  }

  /** Whoever enters next is to keep the lock until {@link #letGo}. */
  synchronized void keepNext() {
    keepsNext = true;
  }

  synchronized void letGo() {
    keepsNext = false;
    told = holder;
    notifyAll();
  }

  /** Blocks a holder that is to keep the lock. */
  synchronized void holdOn(String name) throws InterruptedException {
    while (keepsNext && name.equals(holder) && !name.equals(told) && !over) {
      wait();
    }
  }

  /** Waits until somebody holds the lock; null if that takes too long. */
  synchronized @Nullable String awaitHolder(long withinMillis) throws InterruptedException {
    long end = System.nanoTime() + withinMillis * 1_000_000;
    while (holder == null && System.nanoTime() - end < 0) {
      wait(50);
    }
    return holder;
  }

  /** Waits until these wait for the lock. */
  synchronized boolean awaitWaiting(int count, long withinMillis) throws InterruptedException {
    long end = System.nanoTime() + withinMillis * 1_000_000;
    while (waiting.size() < count && System.nanoTime() - end < 0) {
      wait(50);
    }
    return waiting.size() >= count;
  }

  /** Waits until the lock was entered so often in all. */
  synchronized boolean awaitEntries(int count, long withinMillis) throws InterruptedException {
    long end = System.nanoTime() + withinMillis * 1_000_000;
    while (all < count && System.nanoTime() - end < 0) {
      wait(50);
    }
    return all >= count;
  }

  synchronized void problem(String what) {
    problems.add(what);
  }

  synchronized void end() {
    over = true;
    notifyAll();
  }

  synchronized boolean isOver() {
    return over;
  }

  synchronized @Nullable String holder() {
    return holder;
  }

  synchronized ImmutableList<String> waiting() {
    return ImmutableList.copyOf(waiting);
  }

  synchronized int entries() {
    return all;
  }

  synchronized int entriesOf(String name) {
    return entries.getOrDefault(name, 0);
  }

  synchronized ImmutableList<String> problems() {
    return ImmutableList.copyOf(problems);
  }
}
