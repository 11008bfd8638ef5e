package io.testudo.ordering.message;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: tell me once, as soon as a version above this one is committed. It takes the
 * place of what the same client asked of the same object before, and is forgotten after a while.
 */
public record WatchObject(String object, long known) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.READ;
  }

  @Override
  public String name() {
    return object;
  }
}
