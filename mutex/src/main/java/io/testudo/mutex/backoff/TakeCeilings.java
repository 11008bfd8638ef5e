package io.testudo.mutex.backoff;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: so far the ranks of others went; if you have lost your memory, grant only above
 * that. Answered by {@link Ceilings}; for operators.
 *
 * @param ranks what enough servers vouch for
 */
public record TakeCeilings(long nonce, Ceilings.Ranks ranks) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ADMINISTER;
  }

  @Override
  public String name() {
    return "";
  }
}
