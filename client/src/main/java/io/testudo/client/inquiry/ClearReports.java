package io.testudo.client.inquiry;

import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: forget what was reported of a server. For operators who have looked into it.
 * Answered by a {@link ServerStatus}.
 */
public record ClearReports(long nonce, ServerId server) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  @Override
  public String name() {
    return "";
  }
}
