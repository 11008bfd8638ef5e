package io.testudo.mutex.dht.vote;

import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;

/**
 * How long a request bears it to have votes that are not enough, while others that have some wait
 * as it does. After each time that it made way it bears that longer, by chance, so that not all
 * move in step. It is counted in the time that answers are seen to take: on a fast network nobody
 * waits as long as on the slowest.
 */
public final class Patience {
  private static final long LEAST_NANOS = 1_000_000L;

  /** Some replicas are farther away than the nearest. */
  private static final int NEAREST = 4;

  private final long answerNanos;
  private final long longestNanos;
  private long paceNanos;
  private long bearsNanos;
  private long sinceNanos;
  private boolean isStuck;
  private boolean hasMadeWay;

  /**
   * Nothing was seen yet.
   *
   * @param firstNanos how long it bears that the first time
   * @param answerNanos the longest that an answer takes while nothing is lost
   * @param longest as a multiple of that
   */
  public Patience(long firstNanos, long answerNanos, int longest) {
    this.answerNanos = answerNanos;
    this.longestNanos = longest * answerNanos;
    this.paceNanos = answerNanos;
    this.bearsNanos = firstNanos;
  }

  /** Another node has answered after so long. */
  public void answered(long nanos) {
    long seenNanos = nanos < answerNanos ? NEAREST * nanos : answerNanos;
    paceNanos = Math.min(paceNanos, Math.max(LEAST_NANOS, seenNanos));
    if (!hasMadeWay) {
      bearsNanos = Math.min(bearsNanos, paceNanos);
    }
  }

  /** How long answers take, as far as has been seen. */
  public long paceNanos() {
    return paceNanos;
  }

  /** What it has is not enough. */
  public void lacks(boolean hasVotes, Moment now) {
    if (hasVotes && !isStuck) {
      sinceNanos = now.nanos();
    }
    isStuck = hasVotes;
  }

  /**
   * How long until it makes way.
   *
   * @param isClear whether nobody can have enough: then there is nothing to wait for but that
   *     somebody makes way. Else answers may be missing, or another has the lock
   */
  public long leftNanos(boolean isClear, Moment now) {
    if (!isStuck) {
      return Long.MAX_VALUE;
    }
    return sinceNanos
        + (isClear ? bearsNanos : 2 * Math.max(bearsNanos, answerNanos))
        - now.nanos();
  }

  /** It makes way; gives how long it bears the next such time. */
  public long makeWay(Entropy entropy) {
    isStuck = false;
    hasMadeWay = true;
    long meanNanos = Math.min(2 * Math.max(bearsNanos, paceNanos), longestNanos);
    bearsNanos = meanNanos / 2 + entropy.nextLong(meanNanos);
    return bearsNanos;
  }
}
