package io.testudo.ordering.typed;

import com.google.common.base.Utf8;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ValueReader;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.TestudoException;
import java.util.Objects;
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
 * result is 0 and the value, or says why nothing happened. docs/objects.md has the bytes.
 */
public final class TypedModel<S> implements ObjectModel<HeldState<S>> {
  private static final int HEADER_BYTES = 32;
  private static final int WHOLE = 0;
  private static final int MAX_REASON_CHARS = 512;

  /** How an operation ended; numbers are permanent. */
  private enum Ending {
    DONE(0),
    THREW(1),
    TOO_LARGE(2);

    final int number;

    Ending(int number) {
      this.number = number;
    }
  }

  private final ObjectType<S> type;

  /** A model of a type. */
  public TypedModel(ObjectType<S> type) {
    this.type = type;
  }

  public ObjectType<S> type() {
    return type;
  }

  @Override
  public HeldState<S> initial() {
    return guarded(
        () -> new Legible<>(type.initial()), thrown -> malformed("the initial state", thrown));
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

  private static Bytes numbers(int first, int second) {
    return PAIR.encode(new Pair(first, second), HEADER_BYTES, "a header");
  }

  private record Pair(int first, int second) {}

  private static final Codec<Pair> PAIR =
      Codec.of(
          (pair, out) -> out.writeLong(pair.first()).writeLong(pair.second()),
          in -> new Pair(Math.toIntExact(in.readLong()), Math.toIntExact(in.readLong())));

  @Override
  public boolean canApply(HeldState<S> state, Bytes operation) {
    return state instanceof Legible && known(operation).isPresent();
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
    Optional<Operation<S, ?, ?>> known = known(operation);
    if (known.isEmpty() || !(state instanceof Legible<S> readable)) {
      throw new IllegalStateException("an operation was applied that cannot be");
    }
    return guarded(
        () -> apply(readable, known.get(), operation),
        thrown ->
            refused(
                state,
                thrown instanceof ValueTooLargeException ? Ending.TOO_LARGE : Ending.THREW,
                thrown));
  }

  /**
   * Runs code of the application. Whatever it throws is its own affair, Errors included: a failed
   * assertion or an endless recursion must not end the client, nor leave half of a batch done. Only
   * a virtual machine that is at its end is nobody's own affair.
   */
  private static <T> T guarded(Supplier<T> code, Function<Throwable, T> whenThrown) {
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
        endedAs(Ending.DONE)
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

  private static Bytes endedAs(Ending ending) {
    return Codec.INT.encode(ending.number, HEADER_BYTES, "an ending");
  }

  private static <S> Change<HeldState<S>> refused(
      HeldState<S> state, Ending ending, Throwable thrown) {
    Bytes reason = Bytes.utf8(shortened(messageOf(thrown)));
    return new Change<>(state, endedAs(ending).concat(reason), Bytes.EMPTY);
  }

  /** Even that is code of the application. */
  private static String messageOf(Throwable thrown) {
    if (thrown instanceof TestudoException ours) {
      return ours.problem(); // What is thrown at the submitter says what came of the operation.
    }
    String name = thrown.getClass().getName();
    return guarded(() -> Objects.requireNonNullElse(thrown.getMessage(), name), again -> name);
  }

  private static String shortened(String reason) {
    String cut =
        reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS);
    try {
      int unused = Utf8.encodedLength(cut);
      return cut;
    } catch (IllegalArgumentException e) {
      return cut.replaceAll("[\\ud800-\\udfff]", "?"); // Half a character has no bytes.
    }
  }

  /**
   * The result that an operation gave.
   *
   * @throws TestudoException if it did not happen
   */
  public <R> R result(String object, Operation<S, ?, R> operation, Bytes bytes) {
    ValueReader in = new ValueReader(bytes);
    long ending = in.readLong();
    Bytes rest = in.readRest();
    if (ending == Ending.DONE.number) {
      return operation.results().decode(rest);
    }
    String reason = rest.toText();
    if (ending == Ending.TOO_LARGE.number) {
      throw new ValueTooLargeException(reason);
    }
    throw new OperationFailedException(object, operation.name(), reason);
  }

  @Override
  public HeldState<S> replay(HeldState<S> state, Bytes effect) {
    if (effect.isEmpty()) {
      return state;
    }
    return guarded(() -> replayed(state, effect), thrown -> malformed("an effect", thrown));
  }

  private HeldState<S> replayed(HeldState<S> state, Bytes effect) {
    ValueReader in = new ValueReader(effect);
    Pair header = PAIR.read(in);
    if (header.first() != type.number()) {
      return otherType(header.first());
    }
    if (header.second() == WHOLE) {
      return readVersioned(in);
    }
    Optional<Operation<S, ?, ?>> operation = type.operation(header.second());
    if (operation.isEmpty()) {
      return new Illegible<>(
          "operation %s of %s changed it, which this client does not know; give it a newer %s"
              .formatted(header.second(), type, type.name()),
          0);
    }
    return state instanceof Legible<S> readable
        ? new Legible<>(operation.get().replay(readable.state(), in.readRest()))
        : state;
  }

  private HeldState<S> otherType(int number) {
    return new Illegible<>(
        "it is of the type with number %s, not %s; open it with its own type"
            .formatted(number, type),
        number);
  }

  private HeldState<S> malformed(String what, Throwable cause) {
    return new Illegible<>(
        "%s of %s is malformed: %s".formatted(what, type, shortened(messageOf(cause))), 0);
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
          0);
    }
    return new Legible<>(codec.get().decode(in.readRest()));
  }

  @Override
  public Bytes encode(HeldState<S> state) {
    // One that is unreadable is never extended, so nobody is shown these bytes.
    return state instanceof Legible<S> readable
        ? guarded(
            () ->
                Codec.INT
                    .encode(type.number(), HEADER_BYTES, "a number")
                    .concat(stateWithVersion(readable.state())),
            thrown -> {
              throw new IllegalStateException(messageOf(thrown), thrown);
            })
        : Bytes.EMPTY;
  }

  @Override
  public HeldState<S> decode(Bytes bytes) {
    return guarded(
        () -> {
          ValueReader in = new ValueReader(bytes);
          int number = Math.toIntExact(in.readLong());
          return number == type.number() ? readVersioned(in) : otherType(number);
        },
        thrown -> malformed("the state", thrown));
  }
}
