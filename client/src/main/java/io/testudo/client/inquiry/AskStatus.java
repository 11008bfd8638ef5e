package io.testudo.client.inquiry;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/** Client to server: how are you? */
public record AskStatus(long nonce) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  /** It is about the server and about no name: only a grant for everything covers it. */
  @Override
  public String name() {
    return "";
  }
}
