package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.Statement;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/** Client to server: this state was chosen, and its results count. */
public record Commit(String object, Statement commit, Optional<Seal> rankSeal)
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
