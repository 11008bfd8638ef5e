package io.testudo.ordering.protocol;

import io.testudo.crypto.Seal;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Client to server: a run of this rank has chosen something without you, so take part from this
 * rank on. What you have forgotten, others told that run.
 */
public record Restore(String object, Rank rank, Optional<Seal> rankSeal)
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
