package io.testudo.node.advice;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Thresholds;

/**
 * What to expect of a backend when all contenders begin together, as in docs/contention.md.
 *
 * @param aloneMillis how long one waits whom nobody disturbs
 * @param turnMillis from one entry to the next: a hold and a hand-off
 * @param meanWaitMillis of the contenders
 * @param longestWaitMillis of the last of them
 * @param messagesPerTurn from and to clients
 */
record Prediction(
    double aloneMillis,
    double turnMillis,
    double meanWaitMillis,
    double longestWaitMillis,
    double messagesPerTurn) {
  /** What a turn sends to and hears from each server, at least: asking, an answer, the release. */
  private static final double MESSAGES_ALONE = 3;

  /** Who has to wait is answered twice: that it is not its turn, and that it is. */
  private static final double MESSAGES_QUEUED = 4;

  /** A refresh and its answer. */
  private static final double MESSAGES_OF_REFRESH = 2;

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Either backend: the first entry and each hand-off take a round trip, whatever the number of
   * contenders. Who waits shows it in every refresh period: with backoff just then, with Sigma when
   * its turn should be near, but not later.
   */
  static Prediction of(Deployment wish, Thresholds thresholds) {
    double turnMillis = wish.holdMillis() + wish.rttMillis();
    double others = wish.contenders() - 1;
    double each = wish.contenders() == 1 ? MESSAGES_ALONE : MESSAGES_QUEUED;
    double refreshMillis = LockTiming.standard().refreshNanos() / NANOS_PER_MILLI;
    double refreshes = MESSAGES_OF_REFRESH * others / 2 * turnMillis / refreshMillis;
    return new Prediction(
        wish.rttMillis(),
        turnMillis,
        wish.rttMillis() + others / 2 * turnMillis,
        wish.rttMillis() + others * turnMillis,
        (each + refreshes) * thresholds.asked());
  }
}
