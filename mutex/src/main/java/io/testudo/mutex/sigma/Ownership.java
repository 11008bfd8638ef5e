package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.protocol.Contender;

/**
 * What Sigma knows of a grant.
 *
 * @param number of the grant, within the server's incarnation
 * @param fence no token below it may be used with this grant, and none above it was confirmed
 * @param sinceNanos when it was granted
 * @param waitedNanos how long the message that the grant names had been here when it was made
 */
record Ownership(LockGrant grant, long number, long fence, long sinceNanos, long waitedNanos) {
  Contender contender() {
    return grant.owner();
  }

  /** The same with a later end, if the message is newer. */
  Ownership prolonged(long untilNanos, long message) {
    return message <= grant.number() // It came before: what is repeated must not prolong anything.
        ? this
        : new Ownership(grant.extended(untilNanos, message), number, fence, sinceNanos, 0);
  }

  Ownership withFence(long confirmed) {
    return confirmed <= fence
        ? this
        : new Ownership(grant, number, confirmed, sinceNanos, waitedNanos);
  }

  Owner shown() {
    return new Owner(grant.time(), contender().client().session(), contender().number());
  }
}
