package io.testudo.ordering.message;

import io.testudo.ordering.log.Base;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.Message;

/** Client to server: here is a committed state as a whole; forget what led to it. */
public record Rebase(String object, Base base) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
