package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: LOCKED, another has the lock here, or may have it from before a restart.
 *
 * @param time of the attempt that this answers
 * @param number of the request that this answers
 * @param remainingNanos until the other's grant ends, unless it is released or renewed
 * @param last the highest rank that was granted here
 * @param quarantined whether nobody is known to have it, but the server grants nothing yet because
 *     it has started again; {@code remainingNanos} says for how long
 */
public record Locked(
    long time, long number, long remainingNanos, SealedRank last, boolean quarantined)
    implements Message {
  public Locked {
    checkArgument(remainingNanos >= 0, "%s ns cannot remain", remainingNanos);
  }

  /** For a lock that another has. */
  public Locked(long time, long number, long remainingNanos, SealedRank last) {
    this(time, number, remainingNanos, last, false);
  }
}
