package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.AnswerTimes;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.spi.Entropy;

/**
 * What a client has seen of delays and holds, and how long it waits and sleeps for that. The
 * configured delay is what it begins with. When messages are slower than that, windows become wider
 * instead of closing before any grant can come.
 */
final class Pace {
  private static final double WEIGHT = 0.2;

  /** A grant that has not spread after so many round trips will not. */
  private static final int GRACE_ROUND_TRIPS = 4;

  private static final long LEAST_GRACE_NANOS = 500_000L;

  private final LockTiming timing;
  private final BackoffTuning tuning;
  private final AnswerTimes answers;
  private double occupancyNanos;

  Pace(LockTiming timing, BackoffTuning tuning, Thresholds thresholds) {
    this.timing = timing;
    this.tuning = tuning;
    this.answers = new AnswerTimes(timing, thresholds);
  }

  void sawAnswer(ServerId from, long nanos) {
    answers.saw(from, nanos);
  }

  void sawOccupancy(long nanos) {
    occupancyNanos += WEIGHT * (Math.max(0, nanos) - occupancyNanos);
  }

  /** How old the request may be that a grant answers. */
  long windowNanos() {
    return timing.windowNanos(answers.patienceNanos());
  }

  /** After so long one of those that were asked is late. */
  long lateNanos(ServerSet asked) {
    return answers.latenessNanos(asked);
  }

  /** For how long to ask, to be left the hold at the end of the window. */
  long leaseNanos(long holdNanos) {
    return holdNanos + windowNanos();
  }

  /** After so long one who does not back off tries again: sooner, it would leave nobody time. */
  long roundTripNanos() {
    return 1 + answers.meanNanos();
  }

  /** How long after its first grant a waiter hopes for the others. */
  long graceNanos() {
    long boundNanos = 2 * timing.delayNanos();
    long patienceNanos = answers.patienceNanos();
    if (patienceNanos > boundNanos) {
      return patienceNanos;
    }
    long hopedNanos = Math.max(LEAST_GRACE_NANOS, GRACE_ROUND_TRIPS * answers.meanNanos());
    return Math.min(hopedNanos, boundNanos);
  }

  /** A sleep before the next attempt. */
  long sleepNanos(int retry, long holdNanos, Entropy entropy) {
    double unit =
        tuning.paperUnit()
            ? holdNanos + 2.0 * timing.delayNanos()
            : Math.min((double) holdNanos, occupancyNanos) + answers.meanNanos();
    double bound =
        Math.min(tuning.law().boundNanos(retry, unit), (double) tuning.longestSleepNanos());
    return 1 + (long) (entropy.nextDouble() * bound);
  }
}
