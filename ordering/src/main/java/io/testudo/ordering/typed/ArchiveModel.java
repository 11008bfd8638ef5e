package io.testudo.ordering.typed;

import com.google.common.collect.ImmutableMap;
import io.testudo.crypto.Digest;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.log.TypeLabel;
import io.testudo.ordering.typed.ArchivedState.Known;
import io.testudo.ordering.typed.ArchivedState.Unreadable;
import io.testudo.ordering.typed.ArchivedState.Untouched;
import io.testudo.ordering.typed.ArchivedState.Whole;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An object of any type, to write it down and to restore it. What it is, its bytes say.
 *
 * <p>To restore is an operation like any other, with the number 0, which no type has. It names the
 * state by a digest: only who has the state can apply it, so only the client that submitted it
 * does, and a state may be longer than an operation. All others copy what it did, a whole state,
 * which they understand if they know the type.
 *
 * <p>One model is for one object.
 */
public final class ArchiveModel implements ObjectModel<ArchivedState> {
  /** Not a monitor: code of callers may run while it is held, which would pin virtual threads. */
  private final ReentrantLock turn = new ReentrantLock();

  /** Instead of the number of an operation: a whole state follows. */
  private static final int WHOLE = 0;

  private static final int HEADER_BYTES = 64;

  /** What came of an attempt to restore an object; numbers are permanent. */
  public enum Restored {
    /** It is as it was written down. */
    DONE(0),
    /** It was so before. */
    SAME(1),
    /** There is another state, and it was left. */
    EXISTS(2),
    /** There is a state of another type, and it was left. */
    OTHER_TYPE(3);

    final int number;

    Restored(int number) {
      this.number = number;
    }

    static Restored of(long number) {
      for (Restored restored : values()) {
        if (restored.number == number) {
          return restored;
        }
      }
      throw new MalformedValueException("nothing ends like " + number);
    }
  }

  private record Numbers(int type, int second) {
    static final Codec<Numbers> CODEC =
        Codec.of(
            (numbers, out) -> out.writeLong(numbers.type()).writeLong(numbers.second()),
            in -> new Numbers(Math.toIntExact(in.readLong()), Math.toIntExact(in.readLong())));
  }

  private record Staged(Bytes state, boolean overwrites) {}

  private final ImmutableMap<Integer, TypedModel<?>> models;

  /** By the bytes of the operation. Set before that is submitted, read on the client's loop. */
  private volatile ImmutableMap<Bytes, Staged> staged = ImmutableMap.of();

  /**
   * A model.
   *
   * @param types that are known here
   */
  public ArchiveModel(Collection<? extends ObjectType<?>> types) {
    ImmutableMap.Builder<Integer, TypedModel<?>> byNumber = ImmutableMap.builder();
    types.forEach(type -> byNumber.put(type.number(), new TypedModel<>(type)));
    this.models = byNumber.buildOrThrow();
  }

  /**
   * Keeps a state in mind, and gives the operation that restores it.
   *
   * @param overwrites whether a state of the same type may be lost
   * @throws MalformedValueException if it is no state
   */
  public Bytes stage(Bytes state, boolean overwrites) {
    turn.lock();
    try {
      ArchivedState read = decode(state);
      if (read instanceof Unreadable unreadable) {
        throw new MalformedValueException(unreadable.why());
      }
      if (read instanceof Whole whole && models.containsKey(whole.type())) {
        throw new MalformedValueException("it is no state of " + models.get(whole.type()).type());
      }
      Bytes operation =
          numbers(typeOf(state), WHOLE)
              .concat(Bytes.wrap(Digest.of(state.toByteArray()).toByteArray()))
              .concat(Codec.BOOLEAN.encode(overwrites, HEADER_BYTES, "a choice"));
      staged =
          ImmutableMap.<Bytes, Staged>builder()
              .putAll(staged)
              .put(operation, new Staged(state, overwrites))
              .buildKeepingLast();
      return operation;
    } finally {
      turn.unlock();
    }
  }

  private static int typeOf(Bytes state) {
    return Math.toIntExact(new ValueReader(state).readLong());
  }

  private static Bytes numbers(int type, int second) {
    return Numbers.CODEC.encode(new Numbers(type, second), HEADER_BYTES, "a header");
  }

  /** What came of the operation, from its result. */
  public static Restored restored(Bytes result) {
    return Restored.of(new ValueReader(result).readLong());
  }

  @Override
  public ArchivedState initial() {
    return new Untouched();
  }

  @Override
  public boolean canApply(ArchivedState state, Bytes operation, long wallMillis) {
    return staged.containsKey(operation);
  }

  @Override
  public Change<ArchivedState> apply(ArchivedState state, Bytes operation) {
    Staged wanted = staged.get(operation);
    if (wanted == null) {
      throw new IllegalStateException("an operation was applied that cannot be");
    }
    Restored ending = ending(state, wanted);
    Bytes result = Codec.INT.encode(ending.number, HEADER_BYTES, "an ending");
    return ending == Restored.DONE
        ? new Change<>(decode(wanted.state()), result, effectOf(wanted.state()))
        : new Change<>(state, result, Bytes.EMPTY);
  }

  private Restored ending(ArchivedState state, Staged wanted) {
    int type = typeOf(wanted.state());
    if (state instanceof Untouched) {
      return Restored.DONE;
    }
    if (typeNumber(state) != type) {
      return Restored.OTHER_TYPE;
    }
    Optional<Bytes> present = encoded(state);
    if (present.isPresent() && present.get().equals(wanted.state())) {
      return Restored.SAME;
    }
    return wanted.overwrites() ? Restored.DONE : Restored.EXISTS;
  }

  private static int typeNumber(ArchivedState state) {
    if (state instanceof Known<?> known) {
      return known.type().number();
    }
    return state instanceof Whole whole
        ? whole.type()
        : state instanceof Unreadable unreadable ? unreadable.type() : 0;
  }

  /** The effect that leads to a state, from whatever there was. */
  private static Bytes effectOf(Bytes state) {
    ValueReader in = new ValueReader(state);
    int type = Math.toIntExact(in.readLong());
    return numbers(type, WHOLE).concat(in.readRest());
  }

  @Override
  public ArchivedState replay(ArchivedState state, Bytes effect) {
    if (effect.isEmpty()) {
      return state;
    }
    try {
      ValueReader in = new ValueReader(effect);
      Numbers header = Numbers.CODEC.read(in);
      if (header.type() == LifeOperations.ANY_TYPE) {
        return replayOfAny(state, header.second(), in, effect);
      }
      boolean isKnown = state instanceof Known<?> known && known.type().number() == header.type();
      if (header.second() == WHOLE && !isKnown) {
        Bytes number = Codec.INT.encode(header.type(), HEADER_BYTES, "a number");
        return decode(number.concat(in.readRest()));
      }
      return replay(state, header.type(), effect);
    } catch (RuntimeException e) {
      return new Unreadable(0, "an effect is malformed: " + e.getMessage());
    }
  }

  /** What was done to the object as a whole: it was deleted, or has a time to live. */
  private ArchivedState replayOfAny(ArchivedState state, int what, ValueReader in, Bytes effect) {
    if (what == LifeOperations.DELETED) {
      return new Untouched();
    } else if (what == LifeOperations.ENDED) {
      return replay(new Untouched(), in.readRest());
    }
    int type =
        state instanceof Known<?> known
            ? known.type().number()
            : TypeLabel.after(TypeLabel.UNKNOWN, effect);
    return replay(state, type, effect);
  }

  private ArchivedState replay(ArchivedState state, int type, Bytes effect) {
    if (state instanceof Known<?> known && known.type().number() == type) {
      return known(known, effect);
    }
    TypedModel<?> model = models.get(type);
    if (state instanceof Untouched && model != null) {
      return fresh(model, effect);
    }
    return state instanceof Unreadable
        ? state
        : new Unreadable(
            type,
            "an operation of the type with number %s changed it, which only clients of that type"
                    .formatted(type)
                + " understand");
  }

  private static <S> ArchivedState known(Known<S> known, Bytes effect) {
    return of(known.model(), known.replay(effect));
  }

  private static <S> ArchivedState fresh(TypedModel<S> model, Bytes effect) {
    return of(model, model.replay(model.initial(), effect));
  }

  private static <S> ArchivedState of(TypedModel<S> model, HeldState<S> held) {
    if (!held.life().isThere()) {
      return new Untouched();
    }
    return held instanceof Legible<S> legible
        ? new Known<>(model, legible)
        : new Unreadable(model.type().number(), ((Illegible<S>) held).why());
  }

  /** A state as it is written down; empty if it cannot be, or there is none. */
  public static Optional<Bytes> encoded(ArchivedState state) {
    if (state instanceof Known<?> known) {
      return Optional.of(known.encodeWithoutEnd());
    }
    return state instanceof Whole whole ? Optional.of(whole.bytes()) : Optional.empty();
  }

  /** {@inheritDoc} Of what cannot be read no snapshot is made: what led to it holds it all. */
  @Override
  public Bytes encode(ArchivedState state) {
    if (state instanceof Known<?> known) {
      return known.encode();
    }
    return encoded(state)
        .orElseThrow(() -> new IllegalStateException("what is not understood is not written"));
  }

  @Override
  public ArchivedState decode(Bytes bytes) {
    int type;
    try {
      type = typeOf(bytes);
      type = type == LifeOperations.ANY_TYPE ? TypeLabel.ofState(bytes) : type;
    } catch (RuntimeException e) {
      return new Unreadable(0, "the state is malformed: " + e.getMessage());
    }
    @Nullable TypedModel<?> model = models.get(type);
    return model == null ? new Whole(type, bytes) : decoded(model, bytes);
  }

  /** A state of a later version than is known here is kept as it is. */
  private static <S> ArchivedState decoded(TypedModel<S> model, Bytes bytes) {
    return model.decode(bytes) instanceof Legible<S> legible
        ? new Known<>(model, legible)
        : new Whole(model.type().number(), bytes);
  }
}
