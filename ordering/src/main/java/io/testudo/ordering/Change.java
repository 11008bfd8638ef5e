package io.testudo.ordering;

import java.util.Optional;

/**
 * What an operation decided to do.
 *
 * @param effect on the state; empty if it stays as it is
 * @param result for the submitter
 * @param <E> the new state, or what an operation with deltas changes in it
 */
public record Change<E, R>(Optional<E> effect, R result) {
  /** The state changes. */
  public static <E, R> Change<E, R> to(E effect, R result) {
    return new Change<>(Optional.of(effect), result);
  }

  /** The state stays as it is. */
  public static <E, R> Change<E, R> none(R result) {
    return new Change<>(Optional.empty(), result);
  }
}
