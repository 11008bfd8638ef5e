package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: REFUSED, this will not be granted however long you try.
 *
 * @param time of the attempt that this answers
 */
public record Refused(long time, RefusalReason reason, long limit) implements Message {
  public Refused {
    // Who waits for that is told so by LOCKED.
    checkArgument(reason != RefusalReason.QUARANTINED, "a quarantine is no refusal");
  }
}
