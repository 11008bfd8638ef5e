package io.testudo.ordering.client;

import io.testudo.quorum.Bytes;

/**
 * A type of object as the protocol sees it. States are never changed in place: a method that
 * changes one gives another.
 *
 * @param <S> the state
 */
public interface ObjectModel<S> {
  S initial();

  /** Whether states of the other one are states of this one, too. */
  default boolean isSameAs(ObjectModel<?> other) {
    return getClass() == other.getClass();
  }

  /** What a deleted object is: as if it were new. */
  default S absent() {
    return initial();
  }

  /**
   * Applies an operation. It need not give the same twice: only one application counts. What an
   * operation makes of the state must not be longer than a snapshot can be, and it must not throw:
   * an operation that makes no sense has a result that says so.
   */
  Change<S> apply(S state, Bytes operation);

  /**
   * The same, at a moment.
   *
   * @param wallMillis as the clock of this client shows
   */
  default Change<S> apply(S state, Bytes operation, long wallMillis) {
    return apply(state, operation);
  }

  /**
   * Whether an operation can be applied here, at a moment. One that cannot is left to clients that
   * know more of the type; nothing is lost.
   */
  default boolean canApply(S state, Bytes operation, long wallMillis) {
    return true;
  }

  /** Does again what an operation did, from its effect. This must give the same every time. */
  S replay(S state, Bytes effect);

  Bytes encode(S state);

  S decode(Bytes state);

  /**
   * What an operation did.
   *
   * @param after the state that it led to
   * @param result for the submitter
   * @param effect all that {@link #replay} needs
   * @param deletes whether nothing is left of the object
   */
  record Change<S>(S after, Bytes result, Bytes effect, boolean deletes) {
    /** One that leaves something. */
    public Change(S after, Bytes result, Bytes effect) {
      this(after, result, effect, false);
    }
  }
}
