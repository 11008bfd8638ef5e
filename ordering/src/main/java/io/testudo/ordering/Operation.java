package io.testudo.ordering;

import io.testudo.quorum.Bytes;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Something that can be done to objects of a type. It is applied once, by some client, and what it
 * decided is copied: it may use chance and clocks. It must not block nor change the state that it
 * is given. One that throws changes nothing, and its submitter gets an {@link
 * OperationFailedException} with the message.
 *
 * <pre>{@code
 * static final Operation<Long, Long, Long> DEPOSIT =
 *     Operation.of(1, "deposit", Codec.LONG, Codec.LONG)
 *         .changing((balance, amount) -> Change.to(balance + amount, balance + amount));
 * }</pre>
 *
 * @param <S> the state
 * @param <A> the argument
 * @param <R> the result
 */
public final class Operation<S, A, R> {
  /** The largest number. */
  public static final int MAX_NUMBER = 1 << 20;

  private final int number;
  private final String name;
  private final Codec<A> arguments;
  private final Codec<R> results;
  private final Rule<S, A, R, ?> rule;

  /** Of two kinds: one gives the whole new state, the other a delta and how to replay it. */
  private record Rule<S, A, R, E>(
      BiFunction<? super S, ? super A, Change<E, R>> decide,
      BiFunction<? super S, ? super E, ? extends S> replay,
      Optional<Codec<E>> deltas) {
    Step<S, R> apply(S state, A argument, String name) {
      Change<E, R> change = decide.apply(state, argument);
      if (change.effect().isEmpty()) {
        return new Step<>(state, change.result(), false, Optional.empty());
      }
      E effect = change.effect().get();
      Optional<Bytes> delta =
          deltas.map(
              codec -> codec.encode(effect, ObjectLimits.MAX_STATE_BYTES, "the change by " + name));
      return new Step<>(replay.apply(state, effect), change.result(), true, delta);
    }

    S replay(S state, Bytes delta) {
      Codec<E> codec =
          deltas.orElseThrow(() -> new MalformedValueException("the operation has no deltas"));
      return replay.apply(state, codec.decode(delta));
    }
  }

  private Operation(
      int number, String name, Codec<A> arguments, Codec<R> results, Rule<S, A, R, ?> rule) {
    this.number = number;
    this.name = name;
    this.arguments = arguments;
    this.results = results;
    this.rule = rule;
  }

  /**
   * Begins to define an operation.
   *
   * @param number permanent: it means this operation for ever, among those of its type
   * @param name for people
   */
  public static <A, R> Defined<A, R> of(
      int number, String name, Codec<A> arguments, Codec<R> results) {
    if (number < 1 || number > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "The number of operation %s is %s, not from 1 to %s; choose another."
              .formatted(name, number, MAX_NUMBER));
    }
    return new Defined<>(number, name, arguments, results);
  }

  /** Begins to define an operation without argument. */
  public static <R> Defined<Nothing, R> of(int number, String name, Codec<R> results) {
    return of(number, name, Codec.NOTHING, results);
  }

  /** An operation of which all is known but what it does. */
  public record Defined<A, R>(int number, String name, Codec<A> arguments, Codec<R> results) {
    /** Gives the new state. All of it travels: suits states of up to some hundred bytes. */
    public <S> Operation<S, A, R> changing(BiFunction<? super S, ? super A, Change<S, R>> decide) {
      return new Operation<>(
          number,
          name,
          arguments,
          results,
          new Rule<S, A, R, S>(decide, (state, after) -> after, Optional.empty()));
    }

    /**
     * Decides what is to change. Only that travels, and the state is changed by {@code replay}
     * everywhere, here too.
     *
     * @param replay deterministic: the same state and delta give the same state
     */
    public <S, D> Operation<S, A, R> changing(
        Codec<D> deltas,
        BiFunction<? super S, ? super A, Change<D, R>> decide,
        BiFunction<? super S, ? super D, ? extends S> replay) {
      return new Operation<>(
          number,
          name,
          arguments,
          results,
          new Rule<S, A, R, D>(decide, replay, Optional.of(deltas)));
    }
  }

  public int number() {
    return number;
  }

  public String name() {
    return name;
  }

  public Codec<A> arguments() {
    return arguments;
  }

  public Codec<R> results() {
    return results;
  }

  /** Applies it: for tests of a type, and for the client that orders. */
  public Step<S, R> apply(S state, A argument) {
    return rule.apply(state, argument, name);
  }

  /** Does again what was decided, from {@link Step#delta}. */
  public S replay(S state, Bytes delta) {
    return rule.replay(state, delta);
  }

  /**
   * An operation that was applied.
   *
   * @param changed whether there is an effect
   * @param delta what {@link Operation#replay} needs; empty if all of the new state is needed
   */
  public record Step<S, R>(S after, R result, boolean changed, Optional<Bytes> delta) {}

  @Override
  public String toString() {
    return name + "(" + number + ")";
  }
}
