package io.testudo.mutex.dht.partial;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Thresholds;

/**
 * What all nodes of a ring agree on.
 *
 * @param thresholds how many replicas must vote
 * @param refreshNanos how often one who waits or holds shows that it does, along its whole path
 */
public record PartialSettings(Thresholds thresholds, LockTiming timing, long refreshNanos) {
  /**
   * How long an answer over the overlay may take while nothing is lost: a few hops and one back.
   */
  long answerNanos() {
    return 8 * timing.delayNanos();
  }

  /** After so long without a sign one who waits is dropped by a replica. */
  long expiryNanos() {
    return 8 * refreshNanos + timing.maxLeaseNanos();
  }

  /** How long an entry lasts that is not renewed. */
  long entryNanos(long leaseNanos) {
    return timing.serverLeaseNanos(leaseNanos) + 3 * refreshNanos;
  }
}
