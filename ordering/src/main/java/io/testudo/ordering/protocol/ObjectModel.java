package io.testudo.ordering.protocol;

import com.google.protobuf.ByteString;

/**
 * A type of object as the protocol sees it. States are never changed in place: a method that
 * changes one gives another.
 *
 * @param <S> the state
 */
public interface ObjectModel<S> {
  S initial();

  /**
   * Whether this model can apply an operation. One that it cannot apply is left to a client whose
   * model can.
   */
  default boolean knows(ByteString operation) {
    return true;
  }

  /**
   * Applies an operation. It need not give the same twice: only one application counts.
   *
   * @throws RuntimeException if the operation makes no sense: then it is refused for good with the
   *     exception's message, and nothing changes
   */
  Change<S> apply(S state, ByteString operation);

  /** Does again what an operation did, from its effect. This must give the same every time. */
  S replay(S state, ByteString effect);

  ByteString encode(S state);

  S decode(ByteString state);

  /**
   * What an operation did.
   *
   * @param after the state that it led to
   * @param result for the submitter
   * @param effect all that {@link #replay} needs
   */
  record Change<S>(S after, ByteString result, ByteString effect) {}
}
