package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: this server's number, and whether it leapt there.
 *
 * @param leaptFrom what it had before its start, or 0 if it counted on
 */
public record Incarnated(long incarnation, long leaptFrom) implements StateRecord {
  public Incarnated {
    checkArgument(incarnation > 0, "the incarnation %s is not positive", incarnation);
    checkArgument(
        leaptFrom >= 0 && leaptFrom < incarnation, "%s is no leap to %s", leaptFrom, incarnation);
  }

  /** Without a leap. */
  public Incarnated(long incarnation) {
    this(incarnation, 0);
  }
}
