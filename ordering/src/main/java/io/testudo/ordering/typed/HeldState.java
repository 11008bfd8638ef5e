package io.testudo.ordering.typed;

/**
 * A state as a client has it.
 *
 * @param <S> of an object's type
 */
public sealed interface HeldState<S> {
  /** One that the client understands. */
  record Legible<S>(S state) implements HeldState<S> {}

  /**
   * One that it does not. It never writes it either: the object stays as it is.
   *
   * @param why to tell people
   * @param otherType number of the type that it is of; 0 if it is of the client's
   */
  record Illegible<S>(String why, int otherType) implements HeldState<S> {}
}
