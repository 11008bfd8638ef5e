package io.testudo.quorum.protocol;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of what is bounded each of many has taken. Nobody may have more than it leaves: one
 * alone gets half, the next half of the rest, and nobody can use up what others need.
 */
public final class Shares {
  /** Of whom it is not known. */
  public static final String NOBODY = "";

  private final long capacity;
  private final Map<String, Long> taken = new HashMap<>();
  private long all;

  public Shares(long capacity) {
    this.capacity = capacity;
  }

  /** Takes some, if there is room for it. */
  public boolean take(String owner, long amount) {
    if (!hasRoomFor(owner, amount)) {
      return false;
    }
    charge(owner, amount);
    return true;
  }

  public boolean hasRoomFor(String owner, long amount) {
    // Whose it is was not kept: there is nobody to answer for all of it.
    long own = owner.equals(NOBODY) ? 0 : taken.getOrDefault(owner, 0L);
    return own + amount <= capacity - all - amount;
  }

  /** Takes some that is there already, room or not; or gives some back, if it is less than 0. */
  public void charge(String owner, long amount) {
    taken.merge(owner, amount, (had, more) -> had + more == 0 ? null : had + more);
    all += amount;
  }

  public void giveBack(String owner, long amount) {
    charge(owner, -amount);
  }

  public long capacity() {
    return capacity;
  }

  /** What all have, together. */
  public long all() {
    return all;
  }
}
