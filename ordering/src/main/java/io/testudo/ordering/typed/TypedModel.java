package io.testudo.ordering.typed;

import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.TestudoException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A type as the protocol sees it. It never throws: what an operation or a codec throws becomes a
 * result, and what cannot be read makes the object unreadable here, until somebody writes it whole.
 *
 * <p>Everything begins with the number of the type. An operation goes on with its number and its
 * argument; a state with its version; an effect with the number of the operation and its delta, or
 * with 0, a version and a whole state. An operation that changes nothing has an empty effect. A
 * result is 0 and the value, or says why nothing happened. docs/objects.md has the bytes. What has
 * the type 0 is for objects of all types: see {@link LifeOperations}.
 */
public final class TypedModel<S> implements ObjectModel<HeldState<S>> {
  private static final int HEADER_BYTES = 32;
  private static final int WHOLE = 0;

  private final ObjectType<S> type;

  /** A model of a type. */
  public TypedModel(ObjectType<S> type) {
    this.type = type;
  }

  public ObjectType<S> type() {
    return type;
  }

  @Override
  public boolean isSameAs(ObjectModel<?> other) {
    return other instanceof TypedModel<?> typed && typed.type == type;
  }

  @Override
  public HeldState<S> initial() {
    return guarded(
        () -> new Legible<>(type.initial(), Life.NONE),
        thrown -> malformed("the initial state", thrown));
  }

  @Override
  public HeldState<S> absent() {
    return initial();
  }

  /**
   * The bytes of an operation.
   *
   * @throws ValueTooLargeException if the argument is too large
   */
  public <A> Bytes operation(Operation<S, A, ?> operation, A argument) {
    Bytes encoded =
        operation
            .arguments()
            .encode(
                argument, ObjectLimits.MAX_ARGUMENT_BYTES, "the argument of " + operation.name());
    return header(operation.number()).concat(encoded);
  }

  private Bytes header(int second) {
    return numbers(type.number(), second);
  }

  static Bytes numbers(int first, int second) {
    return PAIR.encode(new Pair(first, second), HEADER_BYTES, "a header");
  }

  private record Pair(int first, int second) {}

  private static final Codec<Pair> PAIR =
      Codec.of(
          (pair, out) -> out.writeLong(pair.first()).writeLong(pair.second()),
          in -> new Pair(Math.toIntExact(in.readLong()), Math.toIntExact(in.readLong())));

  @Override
  public boolean canApply(HeldState<S> state, Bytes operation, long wallMillis) {
    HeldState<S> current = state.life().isOver(wallMillis) ? absent() : state;
    try {
      ValueReader in = new ValueReader(operation);
      Pair header = PAIR.read(in);
      if (header.first() != LifeOperations.ANY_TYPE) {
        return canApplyOwn(current, header.first(), operation);
      }
      if (header.second() == LifeOperations.CREATE) {
        TimeToLive unused = Life.TTL.read(in);
        Bytes inner = in.readRest();
        return canApplyOwn(current, PAIR.read(new ValueReader(inner)).first(), inner);
      }
      return header.second() >= LifeOperations.DELETE && header.second() < LifeOperations.CREATE;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private boolean canApplyOwn(HeldState<S> state, int ofType, Bytes operation) {
    return isOfOtherType(state, ofType)
        || (state instanceof Legible && known(operation).isPresent());
  }

  /** Whether the object is there and is of another type, so that nobody can apply this to it. */
  private boolean isOfOtherType(HeldState<S> state, int ofType) {
    int own = typeOf(state);
    return own > 0 && ofType > 0 && own != ofType;
  }

  /** The number of the type that an object is of; 0 if it is not there, or nobody knows. */
  private int typeOf(HeldState<S> state) {
    return state instanceof Illegible<S> illegible
        ? illegible.otherType()
        : state.life().isThere() ? type.number() : 0;
  }

  private Optional<Operation<S, ?, ?>> known(Bytes operation) {
    try {
      Pair header = PAIR.read(new ValueReader(operation));
      return header.first() == type.number() ? type.operation(header.second()) : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public Change<HeldState<S>> apply(HeldState<S> state, Bytes operation) {
    return apply(state, operation, Long.MIN_VALUE);
  }

  /** {@inheritDoc} What is done to an object whose time is over is done to a new one. */
  @Override
  public Change<HeldState<S>> apply(HeldState<S> state, Bytes operation, long wallMillis) {
    if (!state.life().isOver(wallMillis)) {
      return applyInTime(state, operation, wallMillis);
    }
    Change<HeldState<S>> change = applyInTime(absent(), operation, wallMillis);
    return change.effect().isEmpty()
        ? new Change<>(absent(), change.result(), LifeOperations.deleted(), true)
        : new Change<>(change.after(), change.result(), LifeOperations.ended(change.effect()));
  }

  private Change<HeldState<S>> applyInTime(HeldState<S> state, Bytes operation, long wallMillis) {
    return guarded(
        () -> {
          ValueReader in = new ValueReader(operation);
          Pair header = PAIR.read(in);
          return header.first() == LifeOperations.ANY_TYPE
              ? applyToAny(state, header.second(), in, wallMillis)
              : applyOwn(state, operation, wallMillis);
        },
        thrown -> refused(state, endingOf(thrown), thrown));
  }

  private static OperationEnding endingOf(Throwable thrown) {
    return thrown instanceof ValueTooLargeException
        ? OperationEnding.TOO_LARGE
        : OperationEnding.THREW;
  }

  /** What can be done to an object of any type. */
  private Change<HeldState<S>> applyToAny(
      HeldState<S> state, int operation, ValueReader in, long wallMillis) {
    boolean isThere = state.life().isThere();
    if (operation == LifeOperations.CREATE) {
      TimeToLive ttl = Life.TTL.read(in);
      Change<HeldState<S>> change = applyOwn(state, in.readRest(), wallMillis);
      if (isThere || change.effect().isEmpty()) {
        return change;
      }
      Life life = Life.from(ttl, wallMillis);
      LifeOperations.requireMortal(typeOf(change.after()));
      return new Change<>(
          change.after().with(life), change.result(), LifeOperations.lives(life, change.effect()));
    }
    Bytes result = OperationEnding.DONE.bytes().concat(LifeOperations.told(isThere));
    if (!isThere || operation == LifeOperations.SETTLE) {
      return new Change<>(state, result, Bytes.EMPTY);
    }
    LifeOperations.requireMortal(typeOf(state));
    if (operation == LifeOperations.DELETE) {
      return new Change<>(absent(), result, LifeOperations.deleted(), true);
    }
    Life life = Life.from(Life.TTL.read(in), wallMillis);
    return new Change<>(state.with(life), result, LifeOperations.lives(life, Bytes.EMPTY));
  }

  private Change<HeldState<S>> applyOwn(HeldState<S> state, Bytes operation, long wallMillis) {
    if (isOfOtherType(state, PAIR.read(new ValueReader(operation)).first())) {
      return refused(
          state,
          OperationEnding.OTHER_TYPE,
          new IllegalStateException("it is of another type than the operation"));
    }
    Optional<Operation<S, ?, ?>> known = known(operation);
    if (known.isEmpty() || !(state instanceof Legible<S> readable)) {
      throw new IllegalStateException("an operation was applied that cannot be");
    }
    Change<HeldState<S>> change = apply(readable, known.get(), operation);
    if (change.effect().isEmpty()) {
      return change;
    }
    Life life = state.life().changed(wallMillis);
    Bytes effect = life.isRenewed() ? LifeOperations.lives(life, change.effect()) : change.effect();
    return new Change<>(change.after().with(life), change.result(), effect);
  }

  /**
   * Runs code of the application. Whatever it throws is its own affair, Errors included: a failed
   * assertion or an endless recursion must not end the client, nor leave half of a batch done. Only
   * a virtual machine that is at its end is nobody's own affair.
   */
  static <T> T guarded(Supplier<T> code, Function<Throwable, T> whenThrown) {
    Throwable thrown;
    try {
      return code.get();
    } catch (StackOverflowError e) {
      thrown = e;
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      thrown = e;
    }
    return whenThrown.apply(thrown);
  }

  private <A, R> Change<HeldState<S>> apply(
      Legible<S> state, Operation<S, A, R> operation, Bytes bytes) {
    ValueReader in = new ValueReader(bytes);
    Pair unused = PAIR.read(in);
    A argument = operation.arguments().decode(in.readRest());
    Operation.Step<S, R> step = operation.apply(state.state(), argument);
    Bytes result =
        OperationEnding.DONE
            .bytes()
            .concat(
                operation
                    .results()
                    .encode(
                        step.result(),
                        ObjectLimits.MAX_RESULT_BYTES,
                        "the result of " + operation.name()));
    if (!step.changed()) {
      return new Change<>(state, result, Bytes.EMPTY);
    }
    Bytes effect;
    if (step.delta().isPresent()) {
      type.checkSize(step.after());
      effect = header(operation.number()).concat(step.delta().get());
    } else {
      effect = header(WHOLE).concat(stateWithVersion(step.after()));
    }
    return new Change<>(new Legible<>(step.after()), result, effect);
  }

  private static <S> Change<HeldState<S>> refused(
      HeldState<S> state, OperationEnding ending, Throwable thrown) {
    return new Change<>(state, ending.bytes().concat(Bytes.utf8(messageOf(thrown))), Bytes.EMPTY);
  }

  private static String messageOf(Throwable thrown) {
    return OperationEnding.messageOf(thrown);
  }

  /**
   * What an operation for objects of any type told.
   *
   * @throws TestudoException if it did not happen
   */
  public boolean told(String object, Bytes bytes) {
    return OperationEnding.read(object, "an operation on its life", Codec.BOOLEAN, bytes);
  }

  /**
   * The result that an operation gave.
   *
   * @throws TestudoException if it did not happen
   */
  public <R> R result(String object, Operation<S, ?, R> operation, Bytes bytes) {
    return OperationEnding.read(object, operation.name(), operation.results(), bytes);
  }

  @Override
  public HeldState<S> replay(HeldState<S> state, Bytes effect) {
    if (effect.isEmpty()) {
      return state;
    }
    return guarded(() -> replayed(state, effect), thrown -> malformed("an effect", thrown));
  }

  private HeldState<S> replayed(HeldState<S> state, Bytes effect) {
    Optional<LifeEffect> parts = LifeEffect.read(effect);
    if (parts.isEmpty()) {
      return new Illegible<>(
          "it was changed in a way that this client does not know; use a newer one",
          0,
          Life.ENDLESS);
    }
    HeldState<S> after = parts.get().isAnew() ? absent() : state;
    if (!parts.get().own().isEmpty()) {
      ValueReader in = new ValueReader(parts.get().own());
      Pair header = PAIR.read(in);
      after = replayedOwn(after, header, in);
      after = after.life().isThere() ? after : after.with(Life.ENDLESS);
    }
    return parts.get().life().isPresent() ? after.with(parts.get().life().get()) : after;
  }

  private HeldState<S> replayedOwn(HeldState<S> state, Pair header, ValueReader in) {
    if (header.first() != type.number()) {
      return otherType(header.first()).with(state.life());
    }
    if (header.second() == WHOLE) {
      return readVersioned(in).with(state.life());
    }
    Optional<Operation<S, ?, ?>> operation = type.operation(header.second());
    if (operation.isEmpty()) {
      return new Illegible<>(
          "operation %s of %s changed it, which this client does not know; give it a newer %s"
              .formatted(header.second(), type, type.name()),
          0,
          state.life());
    }
    return state instanceof Legible<S> readable
        ? new Legible<>(operation.get().replay(readable.state(), in.readRest()), state.life())
        : state;
  }

  private HeldState<S> otherType(int number) {
    return new Illegible<>(
        "it is of the type with number %s, not %s; open it with its own type"
            .formatted(number, type),
        number,
        Life.ENDLESS);
  }

  private HeldState<S> malformed(String what, Throwable cause) {
    return new Illegible<>(
        "%s of %s is malformed: %s".formatted(what, type, messageOf(cause)), 0, Life.ENDLESS);
  }

  private Bytes stateWithVersion(S state) {
    return Codec.INT
        .encode(type.versionOf(state), HEADER_BYTES, "a version")
        .concat(type.encode(state));
  }

  private HeldState<S> readVersioned(ValueReader in) {
    int version = Math.toIntExact(in.readLong());
    Optional<Codec<S>> codec = type.codec(version);
    if (codec.isEmpty()) {
      return new Illegible<>(
          "version %s of %s wrote it, this client has version %s; give it a newer one"
              .formatted(version, type.name(), type.version()),
          0,
          Life.ENDLESS);
    }
    return new Legible<>(codec.get().decode(in.readRest()));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if it cannot be written, or not by this client
   */
  @Override
  public Bytes encode(HeldState<S> state) {
    if (!(state instanceof Legible<S> readable) || type.number() == AnyObject.NUMBER) {
      throw new IllegalStateException("a state that this client cannot read");
    }
    return guarded(
        () -> {
          Bytes typed = number(type.number()).concat(stateWithVersion(readable.state()));
          return state.life().around(typed);
        },
        thrown -> {
          throw new IllegalStateException(messageOf(thrown), thrown);
        });
  }

  private static Bytes number(int number) {
    return Codec.INT.encode(number, HEADER_BYTES, "a number");
  }

  @Override
  public HeldState<S> decode(Bytes bytes) {
    return guarded(
        () -> {
          ValueReader in = new ValueReader(bytes);
          int number = Math.toIntExact(in.readLong());
          Life life = Life.ENDLESS;
          if (number == LifeOperations.ANY_TYPE) {
            life = Life.read(in);
            number = Math.toIntExact(in.readLong());
          }
          return (number == type.number() ? readVersioned(in) : otherType(number)).with(life);
        },
        thrown -> malformed("the state", thrown));
  }
}
