package io.testudo.ordering.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.OperationId;

/**
 * Names an operation for ever.
 *
 * @param session of its submitter
 * @param sequence grows with each operation of a session; see {@link Sessions}
 */
public record OpId(long session, long sequence) {
  /** So that there is always a next one. */
  static final long MAX_SEQUENCE = 1L << 62;

  public OpId {
    checkArgument(
        sequence > 0 && sequence <= MAX_SEQUENCE,
        "operations are numbered from 1 to %s, not %s",
        MAX_SEQUENCE,
        sequence);
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
