package io.testudo.quorum.ping;

import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: forget what you were told of how often a server has started. For operators who
 * know that it was wrong. Answered by a {@link Pong}.
 */
public record Pardon(long nonce, ServerId server) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  @Override
  public String name() {
    return "";
  }
}
