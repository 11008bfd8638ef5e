package io.testudo.ordering.message;

import io.testudo.ordering.log.StateId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/** Client to server: send me what leads from what I know to what I want. */
public record Fetch(String object, StateId known, StateId wanted) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.READ;
  }

  @Override
  public String name() {
    return object;
  }
}
