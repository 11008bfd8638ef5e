package io.testudo.ordering.protocol;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of what is bounded each of many has taken. Nobody may have more than it leaves: one
 * alone gets half, the next half of the rest, and nobody can use up what others need.
 */
final class Shares {
  private final long capacity;
  private final Map<String, Long> taken = new HashMap<>();
  private long all;

  Shares(long capacity) {
    this.capacity = capacity;
  }

  /** Takes some, if there is room for it. */
  boolean take(String owner, long amount) {
    if (taken.getOrDefault(owner, 0L) + amount > capacity - all - amount) {
      return false;
    }
    charge(owner, amount);
    return true;
  }

  /** Takes some that is there already, room or not. */
  void charge(String owner, long amount) {
    taken.merge(owner, amount, Long::sum);
    all += amount;
  }

  void giveBack(String owner, long amount) {
    taken.computeIfPresent(owner, (any, had) -> had == amount ? null : had - amount);
    all -= amount;
  }

  /** What all have, together. */
  long all() {
    return all;
  }
}
