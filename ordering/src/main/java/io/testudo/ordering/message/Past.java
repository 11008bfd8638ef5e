package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.log.OpId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: your operation cannot happen any more, and nobody knows whether it did.
 *
 * @param horizon what the numbers of new operations must be above
 */
public record Past(String object, OpId id, long horizon) implements Message {
  public Past {
    checkArgument(
        horizon >= 0 && horizon <= OpId.MAX_SEQUENCE, "no operation is numbered %s", horizon);
  }
}
