package io.testudo.quorum.sim.history;

import java.util.List;

/**
 * What an object would do if operations came one after the other. A state is never changed in
 * place, and has {@code equals} and {@code hashCode}.
 *
 * @param <S> the states of the object
 * @param <I> what is asked of it
 * @param <O> what it answers
 */
public interface Specification<S, I, O> {
  S initial();

  /** All states that may follow when this was asked and answered; none if it cannot be. */
  List<S> after(S state, I input, O output);

  /** All states that may follow when this was asked and nobody knows the answer. */
  List<S> afterUnknown(S state, I input);

  /**
   * Whether this changes no state, whichever it is. Saying so is never necessary, but makes the
   * search much faster where many operations overlap.
   */
  default boolean isRead(I input) {
    return false;
  }
}
