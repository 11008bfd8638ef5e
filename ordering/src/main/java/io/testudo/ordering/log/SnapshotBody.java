package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Schema;

/**
 * An object as a whole.
 *
 * @param expiredUpTo the highest number that an operation of a forgotten session had
 * @param isAbsent whether it was deleted, or never made; there is no state then
 */
public record SnapshotBody(
    ImmutableList<SessionRow> sessions, Bytes state, long expiredUpTo, boolean isAbsent) {
  private static final Schema<ResultRow> RESULT =
      Schema.of(
          uint64(1, ResultRow::sequence),
          uint64(2, ResultRow::version),
          bytes(3, ResultRow::result),
          ResultRow::new);

  private static final Schema<SessionRow> SESSION =
      Schema.of(
          fixed64(1, SessionRow::session),
          uint64(2, SessionRow::floor),
          uint64(3, SessionRow::executed),
          repeated(4, SessionRow::results, RESULT),
          uint64(5, SessionRow::first),
          SessionRow::new);

  private static final Schema<SnapshotBody> SCHEMA =
      Schema.of(
          repeated(1, SnapshotBody::sessions, SESSION),
          bytes(2, SnapshotBody::state),
          uint64(3, SnapshotBody::expiredUpTo),
          bool(4, SnapshotBody::isAbsent),
          SnapshotBody::new);

  public SnapshotBody {
    checkArgument(
        expiredUpTo >= 0 && expiredUpTo <= OpId.MAX_SEQUENCE, "a horizon at %s", expiredUpTo);
    checkArgument(sessions.size() <= Sessions.MAX_SESSIONS, "%s sessions", sessions.size());
  }

  /** One of an object that is there. */
  public SnapshotBody(ImmutableList<SessionRow> sessions, Bytes state, long expiredUpTo) {
    this(sessions, state, expiredUpTo, false);
  }

  /** What is known of a session, see {@link Sessions}. */
  public record SessionRow(
      long session, long floor, long executed, ImmutableList<ResultRow> results, long first) {
    public SessionRow {
      EntryBody.checkRow(executed, Math.min(floor, executed - 1));
      checkArgument(floor >= 0 && first > 0, "no session has the floor %s from %s", floor, first);
    }
  }

  /** What came of an operation. */
  public record ResultRow(long sequence, long version, Bytes result) {}

  /** One without sessions. */
  public static SnapshotBody of(Bytes state) {
    return new SnapshotBody(ImmutableList.of(), state, 0);
  }

  /** The bytes of a snapshot. */
  public Bytes toBytes() {
    return SCHEMA.toBytes(this);
  }

  /**
   * Reads the body of a snapshot.
   *
   * @throws IllegalArgumentException if it is malformed, or something in it is out of its range
   */
  public static SnapshotBody read(Bytes bytes) {
    return SCHEMA.read(bytes);
  }

  /** The same bytes, if they can be read. */
  public static Bytes check(Bytes bytes) {
    SnapshotBody unused = read(bytes);
    return bytes;
  }
}
