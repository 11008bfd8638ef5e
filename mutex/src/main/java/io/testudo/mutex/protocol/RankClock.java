package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;

/**
 * A hybrid clock that gives ranks their times: close to the wall clock, above all that it was shown
 * of the same name, and for one name never the same twice. What is heard of one name never moves
 * the times of another. The upper bits are milliseconds; the lower ones are chance, so that two
 * processes rarely draw the same time in one millisecond.
 */
public final class RankClock {
  /** Times end long before all numbers do: sums with one of them never overflow. */
  public static final long MAX_TIME = Long.MAX_VALUE - (1L << 60);

  /** So many names may be ahead of the wall clock; the one that was used least lately goes. */
  static final int MAX_NAMES = 4_096;

  private static final int CHANCE_BITS = 20;

  private long last;

  /** Names that were shown a time which the wall clock has not reached, with their last time. */
  private final Map<String, Long> ahead = BoundedMap.byUse(MAX_NAMES);

  public RankClock() {}

  /** The first time of a millisecond. */
  public static long atWall(long wallMillis) {
    return Math.min(Math.max(0, wallMillis), MAX_TIME >> CHANCE_BITS) << CHANCE_BITS;
  }

  /** So much time as the time of ranks counts it. */
  public static long ofMillis(long millis) {
    return atWall(millis);
  }

  /** Checks the time of a rank that a peer has sent. */
  public static void check(long time) {
    checkArgument(time > 0 && time <= MAX_TIME, "the time %s of a rank is out of range", time);
  }

  /** A time that this clock has never given before for this name. */
  public long next(String name, Moment now, Entropy entropy) {
    long chance = entropy.nextLong() >>> (Long.SIZE - CHANCE_BITS);
    last = Math.min(MAX_TIME, Math.max(last + 1, atWall(now.wallMillis()) + chance));
    Long shown = ahead.get(name);
    if (shown == null) {
      return last;
    }
    if (shown < last) {
      ahead.remove(name);
      return last;
    }
    // Two names may have been shown the same time, and still need two.
    long next = Math.min(MAX_TIME, shown + 1 + chance);
    ahead.put(name, next);
    return next;
  }

  /** From now on all times for this name are above this one. */
  public void observe(String name, long time) {
    if (time > last) {
      ahead.merge(name, Math.min(time, MAX_TIME), Math::max);
    }
  }

  /** Whether it gives lower times than this one, but for names that were shown higher ones. */
  public boolean isBehind(long time, Moment now) {
    return time > Math.max(last, atWall(now.wallMillis() + 1));
  }

  /**
   * Takes back what was shown of a name beyond the wall clock.
   *
   * @return whether there was anything
   */
  public boolean forget(String name) {
    return ahead.remove(name) != null;
  }
}
