package io.testudo.ordering.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.OperationId;

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

  /** As applications know it. */
  public OperationId toOperationId() {
    return new OperationId(session, sequence);
  }

  public static OpId of(OperationId id) {
    return new OpId(id.session(), id.sequence());
  }

  @Override
  public String toString() {
    return Long.toHexString(session) + "#" + sequence;
  }
}
