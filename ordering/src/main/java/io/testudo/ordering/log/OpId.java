package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Longs;
import io.testudo.crypto.Digest;
import io.testudo.ordering.OperationId;
import io.testudo.quorum.ClientId;

/**
 * Names an operation for ever.
 *
 * @param session of its submitter; see {@link #sessionOf}
 * @param sequence grows with each operation of a session; see {@link Sessions}
 */
public record OpId(long session, long sequence) {
  /** So that there is always a next one. */
  public static final long MAX_SEQUENCE = 1L << 62;

  public OpId {
    checkArgument(
        sequence > 0 && sequence <= MAX_SEQUENCE,
        "operations are numbered from 1 to %s, not %s",
        MAX_SEQUENCE,
        sequence);
  }

  /**
   * The session of operations and ranks of a client: it belongs to its principal, whatever session
   * others say they have. To speak as another, one would have to find a session of one's own that
   * has the same digest.
   */
  public static long sessionOf(String principal, long session) {
    byte[] digest =
        Digest.builder("testudo session").add(principal).add(session).build().toByteArray();
    return Longs.fromByteArray(digest);
  }

  public static long sessionOf(ClientId client) {
    return sessionOf(client.principal(), client.session());
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
