package io.testudo.ordering.typed;

import io.testudo.ordering.Codec;
import io.testudo.ordering.TimeToLive;
import io.testudo.quorum.Bytes;

/**
 * What can be done to an object of any type: operations and effects of the type 0. Their numbers
 * are permanent.
 */
public final class LifeOperations {
  /** Of the type that all of these have in the place of one. */
  static final int ANY_TYPE = 0;

  /** Operation: nothing is left of the object. Tells whether there was something. */
  static final int DELETE = 1;

  /**
   * Operation: changes nothing, unless the time of the object is over. The entry after a deletion,
   * by which servers give back the room. Tells whether the object is there.
   */
  static final int SETTLE = 2;

  /** Operation: a time to live, from now on. Tells whether the object is there. */
  static final int SET_TTL = 3;

  /** Operation: a time to live for an object that is not there yet, and an operation to make it. */
  static final int CREATE = 4;

  /** Effect: nothing is left. */
  static final int DELETED = 1;

  /** Effect: its time was over, so nothing was left; then another effect. */
  static final int ENDED = 2;

  /** Effect: a time to live; then another effect, or none. */
  static final int LIFE = 3;

  /** The number of the type that says where the keys of a large map are. */
  private static final int LARGE_MAP = 6;

  private static final int MOST_BYTES = 64;

  private LifeOperations() {}

  /**
   * Whether what an object of this type says never changes, so that clients look once. Deleted,
   * ended or replaced, it would be drawn anew, and some would go on by what it said before.
   */
  static boolean isPermanent(int type) {
    return type == LARGE_MAP;
  }

  /**
   * Refuses what would let an object go that must stay.
   *
   * @throws IllegalStateException if it is of such a type
   */
  static void requireMortal(int type) {
    if (isPermanent(type)) {
      throw new IllegalStateException(
          "it says where the keys of a large map are, which never changes; delete the shards of"
              + " the map instead");
    }
  }

  /** The bytes of an operation that deletes. */
  public static Bytes delete() {
    return TypedModel.numbers(ANY_TYPE, DELETE);
  }

  /** The bytes of an operation that makes servers give back room. */
  public static Bytes settle() {
    return TypedModel.numbers(ANY_TYPE, SETTLE);
  }

  /** The bytes of an operation that sets a time to live. */
  public static Bytes expireAfter(TimeToLive ttl) {
    return TypedModel.numbers(ANY_TYPE, SET_TTL).concat(bytes(ttl));
  }

  /** The bytes of an operation that sets a time to live if it makes the object. */
  public static Bytes create(TimeToLive ttl, Bytes operation) {
    return TypedModel.numbers(ANY_TYPE, CREATE).concat(bytes(ttl)).concat(operation);
  }

  private static Bytes bytes(TimeToLive ttl) {
    return Life.TTL.encode(ttl, MOST_BYTES, "a time to live");
  }

  static Bytes deleted() {
    return TypedModel.numbers(ANY_TYPE, DELETED);
  }

  static Bytes ended(Bytes then) {
    return TypedModel.numbers(ANY_TYPE, ENDED).concat(then);
  }

  static Bytes lives(Life life, Bytes then) {
    return TypedModel.numbers(ANY_TYPE, LIFE).concat(life.toBytes()).concat(then);
  }

  static Bytes told(boolean answer) {
    return Codec.BOOLEAN.encode(answer, MOST_BYTES, "an answer");
  }
}
