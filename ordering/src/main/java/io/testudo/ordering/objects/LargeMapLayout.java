package io.testudo.ordering.objects;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.quorum.Bytes;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Over how many maps a {@link LargeMap} is spread, and which keys are where. It is chosen once, by
 * the first operation, and never changes: so all clients agree, and need to look only once.
 *
 * @param shards how many maps there are
 * @param seed0 of the hash, drawn at random: nobody can choose keys that all go to one map
 * @param seed1 likewise
 */
public record LargeMapLayout(int shards, long seed0, long seed1) {
  /** More maps than this need no client. */
  public static final int MAX_SHARDS = 1_024;

  /** If nobody says how many. */
  public static final int DEFAULT_SHARDS = 64;

  /** Stands for any number. */
  static final int ANY = 0;

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final Codec<LargeMapLayout> CODEC =
      Codec.of(
          (layout, out) ->
              out.writeLong(layout.shards())
                  .writeFixed64(layout.seed0())
                  .writeFixed64(layout.seed1()),
          in ->
              new LargeMapLayout(
                  Math.toIntExact(in.readLong()), in.readFixed64(), in.readFixed64()));

  /** Chooses a layout unless there is one; gives the one that counts. */
  public static final Operation<Optional<LargeMapLayout>, Integer, LargeMapLayout> CREATE =
      Operation.of(1, "create", Codec.INT, CODEC)
          .changing(
              (present, shards) -> {
                if (present.isPresent()) {
                  return Change.none(present.get().require(shards));
                }
                LargeMapLayout drawn =
                    new LargeMapLayout(
                        shards == ANY ? DEFAULT_SHARDS : shards,
                        RANDOM.nextLong(),
                        RANDOM.nextLong());
                return Change.to(Optional.of(drawn), drawn);
              });

  /** The type of the object that keeps it. */
  public static final ObjectType<Optional<LargeMapLayout>> TYPE =
      ObjectType.of(6, "large map", Codec.optional(CODEC), Optional.<LargeMapLayout>empty())
          .with(CREATE);

  public LargeMapLayout {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new MalformedValueException(
          "a large map has 1 to %s shards, not %s".formatted(MAX_SHARDS, shards));
    }
  }

  /**
   * This layout, if it has so many shards.
   *
   * @throws IllegalStateException if it has another number
   */
  LargeMapLayout require(int asked) {
    if (asked != ANY && asked != shards) {
      throw new IllegalStateException(
          "it has %s shards since it was made, and that number never changes; open it with %s, or"
                  .formatted(shards, shards)
              + " copy it into a map of another name");
    }
    return this;
  }

  /**
   * Which map has a key. Keys with the same tag are in the same one: a tag is what stands in the
   * first braces, if that is anything.
   */
  int shardOf(Bytes key) {
    HashFunction hash = Hashing.sipHash24(seed0, seed1);
    long hashed = hash.hashBytes(tagOf(key).toByteArray()).asLong();
    return (int) Long.remainderUnsigned(hashed, shards);
  }

  static Bytes tagOf(Bytes key) {
    int open = indexOf(key, '{', 0);
    int close = open < 0 ? -1 : indexOf(key, '}', open + 1);
    return close > open + 1 ? key.slice(open + 1, close) : key;
  }

  private static int indexOf(Bytes key, char wanted, int from) {
    for (int i = from; i < key.size(); i++) {
      if (key.at(i) == wanted) {
        return i;
      }
    }
    return -1;
  }
}
