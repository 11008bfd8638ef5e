package io.testudo.client.roster;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.Moment;

/**
 * How long a beat counts, for the member and for all others. In true time the member's belief ends
 * first, as long as clocks err by no more than the drift: a beat is sent before it is seen.
 *
 * @param drift by how much the rate of a clock errs at most, as a fraction
 */
public record LeaseRule(double drift) {
  private static final double NANOS_PER_MILLI = 1e6;

  public LeaseRule {
    checkArgument(drift >= 0 && drift < 0.5, "a drift of %s is not from 0 to below 0.5", drift);
  }

  /**
   * For how long a member may believe in a beat.
   *
   * @param beforeSent when it had not been sent yet
   */
  public Term believed(long leaseMillis, Moment beforeSent) {
    long nanos = (long) Math.floor(leaseMillis * NANOS_PER_MILLI * (1 - drift));
    return new Term(beforeSent, Math.max(1, nanos));
  }

  /** For how long others must have seen the same beats before they may evict. */
  public long patienceNanos(long leaseMillis) {
    return (long) Math.ceil(leaseMillis * NANOS_PER_MILLI * (1 + drift));
  }
}
