package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: a client told this server of an incarnation of {@code server}; 0 if that is to be
 * forgotten. The last one counts.
 */
public record Witnessed(ServerId server, long incarnation) implements StateRecord {
  public Witnessed {
    checkArgument(incarnation >= 0, "the incarnation %s is negative", incarnation);
  }
}
