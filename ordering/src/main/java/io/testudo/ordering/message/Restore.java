package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Rank;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/**
 * Client to server: a quorum of others has taken note that your memory of the object begins anew,
 * and has chosen something at this rank, so take part from this rank on.
 *
 * @param epoch in which you said that you were absent; in another one it is not for you
 * @param others what those others know of servers that had lost their memory, too
 */
public record Restore(
    String object, Rank rank, Optional<Seal> rankSeal, long epoch, List<MemoryEpoch> others)
    implements Message, Guarded {
  public Restore {
    others = List.copyOf(others);
    MemoryEpoch.check(epoch);
  }

  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
