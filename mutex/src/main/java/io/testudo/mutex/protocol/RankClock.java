package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;

/**
 * A hybrid clock that gives ranks their times: close to the wall clock, above all that it was
 * shown, and never the same twice. The upper bits are milliseconds; the lower ones are chance, so
 * that two processes rarely draw the same time in one millisecond.
 */
public final class RankClock {
  private static final int CHANCE_BITS = 20;

  private long last;

  public RankClock() {}

  /** The first time of a millisecond. */
  public static long atWall(long wallMillis) {
    return Math.max(0, wallMillis) << CHANCE_BITS;
  }

  /** So much time as the time of ranks counts it. */
  public static long ofMillis(long millis) {
    return millis << CHANCE_BITS;
  }

  /** A time that this clock has never given before. */
  public long next(Moment now, Entropy entropy) {
    long chance = entropy.nextLong() >>> (Long.SIZE - CHANCE_BITS);
    last = Math.max(last + 1, atWall(now.wallMillis()) + chance);
    return last;
  }

  /** From now on all times are above this one. */
  public void observe(long time) {
    last = Math.max(last, time);
  }
}
