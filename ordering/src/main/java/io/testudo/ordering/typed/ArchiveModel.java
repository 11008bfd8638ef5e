package io.testudo.ordering.typed;

import com.google.common.collect.ImmutableMap;
import io.testudo.crypto.Digest;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.client.ObjectModel;
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

  private record Staged(ArchivedState state, boolean overwrites) {
    int type() {
      return typeNumber(state);
    }
  }

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
          numbers(typeNumber(read), WHOLE)
              .concat(Bytes.wrap(Digest.of(state.toByteArray()).toByteArray()))
              .concat(Codec.BOOLEAN.encode(overwrites, HEADER_BYTES, "a choice"));
      staged =
          ImmutableMap.<Bytes, Staged>builder()
              .putAll(staged)
              .put(operation, new Staged(read, overwrites))
              .buildKeepingLast();
      return operation;
    } finally {
      turn.unlock();
    }
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
    return apply(state, operation, Long.MIN_VALUE);
  }

  /** {@inheritDoc} What has ended is not there: it is neither left nor kept. */
  @Override
  public Change<ArchivedState> apply(ArchivedState state, Bytes operation, long wallMillis) {
    Staged wanted = staged.get(operation);
    if (wanted == null) {
      throw new IllegalStateException("an operation was applied that cannot be");
    }
    boolean isOver = state.life().isOver(wallMillis);
    ArchivedState present = isOver ? new Untouched() : state;
    Restored ending = ending(present, wanted);
    Bytes result = Codec.INT.encode(ending.number, HEADER_BYTES, "an ending");
    if (ending != Restored.DONE) {
      return new Change<>(state, result, Bytes.EMPTY);
    }
    Bytes effect = effectOf(wanted.state(), present);
    return new Change<>(wanted.state(), result, isOver ? LifeOperations.ended(effect) : effect);
  }

  private static Restored ending(ArchivedState present, Staged wanted) {
    if (present instanceof Untouched) {
      return Restored.DONE;
    }
    if (typeNumber(present) != wanted.type()) {
      return Restored.OTHER_TYPE;
    }
    if (encoded(present).equals(encoded(wanted.state()))) {
      return Restored.SAME;
    }
    boolean mayGo = wanted.overwrites() && !LifeOperations.isPermanent(wanted.type());
    return mayGo ? Restored.DONE : Restored.EXISTS;
  }

  private static int typeNumber(ArchivedState state) {
    if (state instanceof Known<?> known) {
      return known.type().number();
    }
    return state instanceof Whole whole
        ? whole.type()
        : state instanceof Unreadable unreadable ? unreadable.type() : 0;
  }

  /** The effect that leads to a state, with its end or without any, from what is present. */
  private static Bytes effectOf(ArchivedState wanted, ArchivedState present) {
    ValueReader in = new ValueReader(encoded(wanted.with(Life.ENDLESS)).orElseThrow());
    int type = Math.toIntExact(in.readLong());
    Bytes own = numbers(type, WHOLE).concat(in.readRest());
    return wanted.life().ttlMillis() == 0 && present.life().ttlMillis() == 0
        ? own
        : LifeOperations.lives(wanted.life(), own);
  }

  @Override
  public ArchivedState replay(ArchivedState state, Bytes effect) {
    if (effect.isEmpty()) {
      return state;
    }
    try {
      Optional<LifeEffect> parts = LifeEffect.read(effect);
      if (parts.isEmpty()) {
        return new Unreadable(
            typeNumber(state),
            "it was changed in a way that only later versions know",
            Life.ENDLESS);
      }
      ArchivedState before = parts.get().isAnew() ? new Untouched() : state;
      ArchivedState after =
          parts.get().own().isEmpty() ? before : replayOwn(before, parts.get().own());
      return parts.get().life().map(after::with).orElse(after);
    } catch (RuntimeException e) {
      return new Unreadable(0, "an effect is malformed: " + e.getMessage(), Life.ENDLESS);
    }
  }

  /** By an effect of the object's type. */
  private ArchivedState replayOwn(ArchivedState state, Bytes effect) {
    ValueReader in = new ValueReader(effect);
    Numbers header = Numbers.CODEC.read(in);
    boolean isKnown = state instanceof Known<?> known && known.type().number() == header.type();
    if (header.second() == WHOLE && !isKnown) {
      Bytes number = Codec.INT.encode(header.type(), HEADER_BYTES, "a number");
      ArchivedState whole = decode(number.concat(in.readRest()));
      return state.life().isThere() ? whole.with(state.life()) : whole;
    }
    return replay(state, header.type(), effect);
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
                + " understand",
            state.life().isThere() ? state.life() : Life.ENDLESS);
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
        : new Unreadable(model.type().number(), ((Illegible<S>) held).why(), held.life());
  }

  /** A state as it is written down; empty if it cannot be, or there is none. */
  public static Optional<Bytes> encoded(ArchivedState state) {
    if (state instanceof Known<?> known) {
      return Optional.of(known.encode());
    }
    return state instanceof Whole whole
        ? Optional.of(whole.life().around(whole.bytes()))
        : Optional.empty();
  }

  /** {@inheritDoc} Of what cannot be read no snapshot is made: what led to it holds it all. */
  @Override
  public Bytes encode(ArchivedState state) {
    return encoded(state)
        .orElseThrow(() -> new IllegalStateException("what is not understood is not written"));
  }

  @Override
  public ArchivedState decode(Bytes bytes) {
    Life life = Life.ENDLESS;
    Bytes typed = bytes;
    int type;
    try {
      ValueReader in = new ValueReader(bytes);
      type = Math.toIntExact(in.readLong());
      if (type == LifeOperations.ANY_TYPE) {
        life = Life.read(in);
        typed = in.readRest();
        type = Math.toIntExact(new ValueReader(typed).readLong());
      }
    } catch (RuntimeException e) {
      return new Unreadable(0, "the state is malformed: " + e.getMessage(), Life.ENDLESS);
    }
    if (type <= LifeOperations.ANY_TYPE) {
      return new Unreadable(0, "no type has the number " + type, life);
    }
    @Nullable TypedModel<?> model = models.get(type);
    ArchivedState state = model == null ? new Whole(type, typed, life) : decoded(model, typed);
    return state.with(life);
  }

  /** A state of a later version than is known here is kept as it is. */
  private static <S> ArchivedState decoded(TypedModel<S> model, Bytes bytes) {
    return model.decode(bytes) instanceof Legible<S> legible
        ? new Known<>(model, legible)
        : new Whole(model.type().number(), bytes, Life.ENDLESS);
  }
}
