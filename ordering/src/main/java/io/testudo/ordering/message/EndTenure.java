package io.testudo.ordering.message;

import io.testudo.ordering.log.Rank;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: I do not order the object any more, or never came to it. Whoever waits may.
 *
 * @param rank of the ballot that ends, or rests
 */
public record EndTenure(String object, Rank rank) implements Message, Guarded {
  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
