package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: LOCKED, another has the lock here.
 *
 * @param time of the attempt that this answers
 * @param number of the request that this answers
 * @param remainingNanos until the other's grant ends, unless it is released or renewed
 * @param last the highest rank that was granted here
 */
public record Locked(long time, long number, long remainingNanos, SealedRank last)
    implements Message {
  public Locked {
    checkArgument(remainingNanos >= 0, "%s ns cannot remain", remainingNanos);
  }
}
