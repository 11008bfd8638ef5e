package io.testudo.ordering.message;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client, where statements are sealed: I have accepted a proposal that contains your
 * operation. When a whole quorum says the same, it is chosen: that is all the orderer knows, too.
 *
 * @param rank at which it was proposed
 * @param state the version that contains the operation
 */
public record Included(String object, OpId id, Rank rank, StateId state, Bytes result)
    implements Message {
  /** Of all that it says. */
  public Digest digest() {
    Digest.Builder digest =
        Digest.builder("testudo included")
            .add(rank.time())
            .add(rank.session())
            .add(state.version())
            .add(state.link());
    return result.view(digest::add).build();
  }

  @Override
  public String toString() {
    return "Included[" + object + ", " + id + ", " + rank + ", " + state + "]";
  }
}
