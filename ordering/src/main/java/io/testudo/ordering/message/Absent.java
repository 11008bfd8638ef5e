package io.testudo.ordering.message;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Rank;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: I have lost my memory of this object, if I had any, and take no part in your
 * ballot. A ballot that says so to the others, and chooses something without me, brings me up to
 * date.
 *
 * @param epoch in which my memory begins anew
 */
public record Absent(String object, Rank asked, long epoch) implements Message {
  public Absent {
    MemoryEpoch.check(epoch);
  }
}
