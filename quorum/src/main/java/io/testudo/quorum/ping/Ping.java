package io.testudo.quorum.ping;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: who are you, and what have others told you? Everybody may ask; only who may
 * administer is believed what it knows of other servers, or one message of anybody would make each
 * of them look as if it had lost its memory.
 *
 * @param nonce fresh for each survey
 * @param known the highest incarnations that the client knows of, for the server to remember
 */
public record Ping(long nonce, Incarnations known) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  /** It is about servers and about no name: only a grant for everything covers it. */
  @Override
  public String name() {
    return "";
  }

  @Override
  public boolean isAllowed(Rights rights, String principal) {
    return known.isNone() || Guarded.super.isAllowed(rights, principal);
  }
}
