package io.testudo.mutex.dht.zone;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ShareQuorum;

/**
 * What all members agree on.
 *
 * @param quorum the part of the space that wins
 * @param queues whether members keep a queue, as in Sigma; else, as the strawman has it, they
 *     refuse, and clients that have too little give back all and try again later
 * @param noticeNanos so long it takes at most until a member knows of a new neighbour
 * @param settles whether members wait before they vote with space that was another's. Off only to
 *     show what then happens
 */
public record ZoneSettings(
    ShareQuorum quorum,
    LockTiming timing,
    MemberCertificates certificates,
    boolean queues,
    long refreshNanos,
    long noticeNanos,
    boolean settles) {
  /** The default: three quarters of the space. */
  public static final ShareQuorum THREE_QUARTERS = new ShareQuorum(3, 4);

  /** The longest lease that a member gives. */
  long maxLeaseNanos() {
    return timing.leaseNanos(timing.maxHoldNanos());
  }

  /** After so long no vote lasts that another gave with the same space before. */
  long settleNanos() {
    return settles ? noticeNanos + timing.serverLeaseNanos(maxLeaseNanos()) : 0;
  }

  /** So long a member that was heard of counts as being where it is. */
  long sightingNanos() {
    return settleNanos();
  }

  /** After so long without a sign one who waits is dropped. */
  long expiryNanos() {
    return 4 * refreshNanos;
  }

  /**
   * So long each member may take until a request counts without it, where members may lie; it may
   * have to be dialled first.
   */
  long rollCallNanos() {
    return certificates.areProofs() ? 2 * answerNanos() : 0;
  }

  /** So long even a caller without patience waits. */
  long leastWaitNanos() {
    return answerNanos() + rollCallNanos() + RollCall.longestNanos(rollCallNanos());
  }

  /** How long answers may take while nothing is lost: some members are named by others. */
  long answerNanos() {
    return 4 * timing.delayNanos();
  }
}
