package io.testudo.ordering;

import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * A type of replicated objects: what their states are and what can be done to them. All clients of
 * an object need the same; servers need none of it.
 *
 * <pre>{@code
 * static final ObjectType<Long> ACCOUNT =
 *     ObjectType.of(100, "account", Codec.LONG, 0L).with(DEPOSIT).with(WITHDRAW);
 * }</pre>
 *
 * <p><b>Changing a type.</b> Numbers are permanent. An operation may be added at any time; a client
 * that does not know it leaves it to others, and cannot read the object any more if the operation
 * has deltas. A new layout of states needs a new version: see {@link #next}.
 *
 * @param <S> the states. They are immutable
 */
public final class ObjectType<S> {
  /** Numbers up to here are for types that come with Testudo. */
  public static final int LAST_RESERVED_NUMBER = 99;

  /** The largest number. */
  public static final int MAX_NUMBER = 1 << 28;

  private final int number;
  private final String name;
  private final int version;
  private final S initial;
  private final ImmutableMap<Integer, Codec<S>> codecs;

  /** Which states need a version, for the second one and later ones. */
  private final ImmutableMap<Integer, Predicate<? super S>> needs;

  private final Optional<ToIntFunction<? super S>> size;
  private final ImmutableMap<Integer, Operation<S, ?, ?>> operations;

  private ObjectType(
      int number,
      String name,
      int version,
      S initial,
      ImmutableMap<Integer, Codec<S>> codecs,
      ImmutableMap<Integer, Predicate<? super S>> needs,
      Optional<ToIntFunction<? super S>> size,
      ImmutableMap<Integer, Operation<S, ?, ?>> operations) {
    this.number = number;
    this.name = name;
    this.version = version;
    this.initial = initial;
    this.codecs = codecs;
    this.needs = needs;
    this.size = size;
    this.operations = operations;
  }

  /**
   * The first version of a type, without operations yet.
   *
   * @param number permanent: it tells this type from all others of the cluster. Up to {@value
   *     #LAST_RESERVED_NUMBER} they are for types that come with Testudo
   * @param name for people
   * @param codec of states
   * @param initial the state of an object that nobody changed, the same for all clients
   */
  public static <S> ObjectType<S> of(int number, String name, Codec<S> codec, S initial) {
    if (number < 1 || number > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "The number of type %s is %s, not from 1 to %s; choose another."
              .formatted(name, number, MAX_NUMBER));
    }
    return new ObjectType<>(
        number,
        name,
        1,
        initial,
        ImmutableMap.of(1, codec),
        ImmutableMap.of(),
        Optional.empty(),
        ImmutableMap.of());
  }

  /** The same with one more operation. */
  public ObjectType<S> with(Operation<S, ?, ?> operation) {
    Operation<S, ?, ?> other = operations.get(operation.number());
    if (other != null) {
      throw new IllegalArgumentException(
          "Type %s has %s and %s with one number; number them apart."
              .formatted(name, other, operation));
    }
    return new ObjectType<>(
        number,
        name,
        version,
        initial,
        codecs,
        needs,
        size,
        ImmutableMap.<Integer, Operation<S, ?, ?>>builder()
            .putAll(operations)
            .put(operation.number(), operation)
            .buildOrThrow());
  }

  /**
   * The next version of the type, with another layout of states. States of earlier versions are
   * read by their own codecs. Clients of an earlier version cannot read states of this one: give
   * all clients the new code before any of them may order, or let none of the old run.
   */
  public ObjectType<S> next(Codec<S> codec) {
    return next(codec, state -> true);
  }

  /**
   * As {@link #next(Codec)}, for a layout that only some states need. All others are written as the
   * version before wrote them, so clients of that version read them as long as they can.
   *
   * @param isNeeded the same answer for the same state, always
   */
  public ObjectType<S> next(Codec<S> codec, Predicate<? super S> isNeeded) {
    return new ObjectType<>(
        number,
        name,
        version + 1,
        initial,
        ImmutableMap.<Integer, Codec<S>>builder()
            .putAll(codecs)
            .put(version + 1, codec)
            .buildOrThrow(),
        ImmutableMap.<Integer, Predicate<? super S>>builder()
            .putAll(needs)
            .put(version + 1, isNeeded)
            .buildOrThrow(),
        size,
        operations);
  }

  /**
   * The same with a quick way to tell how many bytes a state has when written: no fewer than the
   * codec writes. Without it each operation that has deltas writes the state to see.
   */
  public ObjectType<S> sized(ToIntFunction<? super S> bytes) {
    return new ObjectType<>(
        number, name, version, initial, codecs, needs, Optional.of(bytes), operations);
  }

  public int number() {
    return number;
  }

  public String name() {
    return name;
  }

  public int version() {
    return version;
  }

  public S initial() {
    return initial;
  }

  /** The codec of states that a version wrote, if it is known here. */
  public Optional<Codec<S>> codec(int ofVersion) {
    return Optional.ofNullable(codecs.get(ofVersion));
  }

  /** The operation with a number, if it is known here. */
  public Optional<Operation<S, ?, ?>> operation(int itsNumber) {
    return Optional.ofNullable(operations.get(itsNumber));
  }

  /** All operations, by number. */
  public Map<Integer, Operation<S, ?, ?>> operations() {
    return operations;
  }

  /** The version in whose layout a state is written: the last that it needs. */
  public int versionOf(S state) {
    int written = version;
    while (written > 1 && !needs.getOrDefault(written, any -> true).test(state)) {
      written--;
    }
    return written;
  }

  /** A state in the layout of {@link #versionOf its version}. */
  public Bytes encode(S state) {
    return codec(versionOf(state))
        .orElseThrow()
        .encode(state, ObjectLimits.MAX_STATE_BYTES, "the state of " + name);
  }

  /**
   * Refuses a state that is too large.
   *
   * @throws ValueTooLargeException if it is
   */
  public void checkSize(S state) {
    if (size.isEmpty()) {
      Bytes unused = encode(state);
    } else if (size.get().applyAsInt(state) > ObjectLimits.MAX_STATE_BYTES) {
      throw new ValueTooLargeException("the state of " + name, ObjectLimits.MAX_STATE_BYTES);
    }
  }

  @Override
  public String toString() {
    return name + "(" + number + ", version " + version + ")";
  }
}
