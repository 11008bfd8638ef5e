package io.testudo.ordering.log;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.StateRecord;

/** On disk: whose share of the objects this one is. */
public record MakerKept(String object, String principal) implements StateRecord {
  public MakerKept {
    // A client id is the judge of what a principal may look like.
    principal = new ClientId(principal, 0, 0).principal();
  }
}
