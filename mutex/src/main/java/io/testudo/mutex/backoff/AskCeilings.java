package io.testudo.mutex.backoff;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/** Client to server: how far did your ranks go? Answered by {@link Ceilings}; for operators. */
public record AskCeilings(long nonce) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  @Override
  public String name() {
    return "";
  }
}
