package io.testudo.mutex.lease;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How far the ranks of locks went of which a server knows nothing else: after a restart, or because
 * it made room for others. One floor for all names stays near the server's clock, so that whoever
 * has a clock can go above it; names whose ranks went further have floors of their own.
 */
public final class RankFloors {
  /** So many names may have floors of their own. */
  public static final int MAX_NAMED = 1_024;

  private final Map<String, Long> named = new HashMap<>();
  private long common;

  public RankFloors() {}

  /** A lock with this name may have had ranks up to here. */
  public long of(String name) {
    return Math.max(common, named.getOrDefault(name, 0L));
  }

  /** Every lock may have had ranks up to here. */
  public void raise(long time) {
    common = Math.max(common, time);
  }

  /** Notes a floor of one name, however many there are. */
  public void raise(String name, long time) {
    named.merge(name, time, Math::max);
  }

  /**
   * Notes how far a lock went that is about to be forgotten.
   *
   * @param wallTime the server's clock
   * @param horizon up to here a floor keeps no client out that has a fair clock
   * @return false if there is no room for it; then the lock must be kept
   */
  public boolean note(String name, long time, long wallTime, long horizon) {
    if (time <= Math.max(common, wallTime)) {
      raise(time);
      return true;
    }
    if (named.size() >= MAX_NAMED && !named.containsKey(name) && !makeRoom(wallTime, horizon)) {
      return false;
    }
    raise(name, time);
    return true;
  }

  /** Folds into the common floor what the clock has reached, or else the lowest, if it is near. */
  private boolean makeRoom(long wallTime, long horizon) {
    long lowest = Long.MAX_VALUE;
    for (Iterator<Long> times = named.values().iterator(); times.hasNext(); ) {
      long time = times.next();
      if (time <= Math.max(common, wallTime)) {
        raise(time);
        times.remove();
      } else {
        lowest = Math.min(lowest, time);
      }
    }
    if (named.size() >= MAX_NAMED && lowest <= horizon) {
      long folded = lowest;
      raise(folded);
      named.values().removeIf(time -> time <= folded);
    }
    return named.size() < MAX_NAMED;
  }
}
