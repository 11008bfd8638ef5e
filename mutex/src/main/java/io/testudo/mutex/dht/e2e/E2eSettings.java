package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Thresholds;
import java.time.Duration;

/**
 * What all nodes of a ring agree on.
 *
 * @param thresholds how many replicas must vote
 * @param confirm whether one who is handed the token enters only when enough replicas have accepted
 *     it as the one holder of this number. Off, as the paper has it, a token that is sent to a
 *     second one because the first was slow to answer lets both in
 */
public record E2eSettings(Thresholds thresholds, LockTiming timing, boolean confirm) {
  /** How long what hops know lasts: as the longest lease, since renewals come by. */
  long entryNanos() {
    return timing.maxLeaseNanos();
  }

  /**
   * How long an answer over the overlay may take while nothing is lost: a few hops and one back.
   */
  long answerNanos() {
    return 8 * timing.delayNanos();
  }

  /** How often one who waits shows that it does. */
  long refreshNanos() {
    return Math.max(timing.refreshNanos(), Duration.ofSeconds(2).toNanos());
  }
}
