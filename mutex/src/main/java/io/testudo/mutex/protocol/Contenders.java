package io.testudo.mutex.protocol;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers for the contenders of this process, lock by lock. The lowest free one is taken, so that
 * servers see few of them, and what they remember of a contender is replaced soon.
 */
public final class Contenders {
  private final Map<String, BitSet> inUse = new HashMap<>();

  public Contenders() {}

  /** A number that nobody has for this lock. */
  public int take(String lock) {
    BitSet taken = inUse.computeIfAbsent(lock, any -> new BitSet());
    int number = taken.nextClearBit(0);
    taken.set(number);
    return number;
  }

  public void giveBack(String lock, int number) {
    BitSet taken = inUse.get(lock);
    if (taken != null) {
      taken.clear(number);
      if (taken.isEmpty()) {
        inUse.remove(lock);
      }
    }
  }
}
