package io.testudo.ordering.message;

import io.testudo.ordering.log.LogSnapshot;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/** Client to server: here is a committed state as a whole; forget what led to it. */
public record InstallSnapshot(String object, LogSnapshot snapshot) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
