package io.testudo.quorum.netty;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a server is dialled again: a random part of a ceiling that doubles with
 * each loss. Only a connection that has lasted brings it down again: a server that takes
 * connections and resets them would else be dialled without end.
 */
final class RedialDelay {
  static final long FIRST_MILLIS = 20;
  static final long LONGEST_MILLIS = 3_000;
  private static final int MAX_DOUBLINGS = 16;

  private final long longestMillis;
  private int losses;

  RedialDelay() {
    this(LONGEST_MILLIS);
  }

  /** With another ceiling in the end. */
  RedialDelay(long longestMillis) {
    this.longestMillis = longestMillis;
  }

  /**
   * The connection was lost, or never came about.
   *
   * @param livedNanos how long both ends knew each other
   * @param random so that clients do not all come back at once
   */
  long nextMillis(long livedNanos, RandomGenerator random) {
    if (livedNanos >= TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS)) {
      losses = 0;
    }
    long ceiling = Math.min(longestMillis, FIRST_MILLIS << Math.min(losses, MAX_DOUBLINGS));
    losses++;
    return 1 + random.nextLong(ceiling);
  }
}
