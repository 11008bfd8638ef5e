package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.Statement;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Client to server: this state was chosen, and its results count.
 *
 * @param isLast whether the client has nothing more to propose at present
 */
public record Commit(String object, Statement commit, Optional<Seal> rankSeal, boolean isLast)
    implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
