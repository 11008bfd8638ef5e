package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.Digest;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Schema;
import java.util.Optional;

/**
 * What an entry does.
 *
 * @param snapshotDigest of the state before the entry as a whole, if servers may put that in the
 *     place of what led to it
 */
public record EntryBody(ImmutableList<Done> done, Optional<Digest> snapshotDigest) {
  /** It does nothing. */
  public static final EntryBody NOTHING = new EntryBody(ImmutableList.of(), Optional.empty());

  private static final Schema<Done> DONE =
      Schema.of(
          fixed64(1, Done::session),
          uint64(2, Done::sequence),
          uint64(3, Done::floor),
          bytes(4, Done::result),
          bytes(5, Done::effect),
          bool(6, Done::deletes),
          Done::new);

  private static final Schema<EntryBody> SCHEMA =
      Schema.of(
          repeated(1, EntryBody::done, DONE),
          bytes(2, EntryBody::digestBytes).as(EntryBody::digestOf),
          EntryBody::new);

  /**
   * An operation that was applied.
   *
   * @param deletes whether nothing is left of the object after it; the last of its entry, then
   */
  public record Done(
      long session, long sequence, long floor, Bytes result, Bytes effect, boolean deletes) {
    public Done {
      checkRow(sequence, floor);
    }

    /** One that leaves something. */
    public Done(long session, long sequence, long floor, Bytes result, Bytes effect) {
      this(session, sequence, floor, result, effect, false);
    }

    /** Its name. */
    public OpId id() {
      return new OpId(session, sequence);
    }

    /** How many bytes it has in an entry. */
    public int size() {
      return DONE.size(this);
    }
  }

  static void checkRow(long sequence, long floor) {
    checkArgument(
        sequence > 0 && sequence <= OpId.MAX_SEQUENCE && floor >= 0 && floor < sequence,
        "there is no operation %s with the floor %s",
        sequence,
        floor);
  }

  private Bytes digestBytes() {
    return snapshotDigest.map(digest -> Bytes.wrap(digest.toByteArray())).orElse(Bytes.EMPTY);
  }

  private static Optional<Digest> digestOf(Bytes bytes) {
    return bytes.isEmpty() ? Optional.empty() : Optional.of(Digest.fromBytes(bytes.toByteArray()));
  }

  /** One that does only this. */
  public static EntryBody of(Done done) {
    return new EntryBody(ImmutableList.of(done), Optional.empty());
  }

  /** The bytes of an entry. */
  public Bytes toBytes() {
    return SCHEMA.toBytes(this);
  }

  /**
   * Reads the body of an entry.
   *
   * @throws IllegalArgumentException if it is malformed, or something in it is out of its range
   */
  public static EntryBody read(Bytes bytes) {
    return SCHEMA.read(bytes);
  }

  /** The same bytes, if they can be read. */
  public static Bytes check(Bytes bytes) {
    EntryBody unused = read(bytes);
    return bytes;
  }
}
