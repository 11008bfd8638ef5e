package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.log.OpId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: your operation cannot happen any more, and nobody knows whether it did.
 *
 * @param expiredUpTo what the numbers of new operations must be above
 */
public record Expired(String object, OpId id, long expiredUpTo) implements Message {
  public Expired {
    checkArgument(
        expiredUpTo >= 0 && expiredUpTo <= OpId.MAX_SEQUENCE,
        "no operation is numbered %s",
        expiredUpTo);
  }
}
