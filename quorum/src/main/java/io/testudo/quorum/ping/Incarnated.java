package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: this server has started for the {@code incarnation}-th time. */
public record Incarnated(long incarnation) implements StateRecord {
  public Incarnated {
    checkArgument(incarnation > 0, "the incarnation %s is not positive", incarnation);
  }
}
