package io.testudo.ordering.protocol;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Names an operation for ever.
 *
 * @param session of its submitter
 * @param sequence from 1, without gaps in a session
 */
public record OpId(long session, long sequence) {
  public OpId {
    checkArgument(sequence > 0, "operations are numbered from 1, not %s", sequence);
  }

  @Override
  public String toString() {
    return Long.toHexString(session) + "#" + sequence;
  }
}
