package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Contender;

/**
 * A lock granted at one server.
 *
 * @param time of the owner's request
 * @param number of the grant, within the server's incarnation
 * @param fence no token below it may be used with this grant, and none above it was confirmed
 * @param leased the owner's message with whose lease the end was set
 * @param sinceNanos when it was granted
 * @param untilNanos when it ends, on the server's monotonic clock
 */
record Ownership(
    Contender contender,
    long time,
    long number,
    long fence,
    long leased,
    long sinceNanos,
    long untilNanos) {
  boolean isOf(Contender other, long epoch) {
    return time == epoch && contender.equals(other);
  }

  /** The grant is good at its last instant, too. */
  boolean isOver(long nowNanos) {
    return nowNanos - untilNanos > 0;
  }

  /** The same with a later end, if the message is newer; the end never moves back. */
  Ownership prolonged(long newUntilNanos, long message) {
    if (message <= leased) {
      return this; // It came before: what is repeated must not prolong anything.
    }
    long laterNanos = newUntilNanos - untilNanos > 0 ? newUntilNanos : untilNanos;
    return new Ownership(contender, time, number, fence, message, sinceNanos, laterNanos);
  }

  Ownership withFence(long confirmed) {
    return confirmed <= fence
        ? this
        : new Ownership(contender, time, number, confirmed, leased, sinceNanos, untilNanos);
  }

  Owner shown() {
    return new Owner(time, contender.client().session(), contender.number());
  }
}
