package io.testudo.ordering.typed;

/**
 * A state as a client has it.
 *
 * @param <S> of an object's type
 */
public sealed interface HeldState<S> {
  /** Whether the object is there, and until when. */
  Life life();

  /** The same with another end. */
  HeldState<S> with(Life other);

  /** One that the client understands. */
  record Legible<S>(S state, Life life) implements HeldState<S> {
    /** Of an object that is there, without an end. */
    public Legible(S state) {
      this(state, Life.ENDLESS);
    }

    @Override
    public HeldState<S> with(Life other) {
      return new Legible<>(state, other);
    }
  }

  /**
   * One that it does not. It never writes it either: the object stays as it is, unless it is
   * deleted.
   *
   * @param why to tell people
   * @param otherType number of the type that it is of; 0 if it is of the client's
   */
  record Illegible<S>(String why, int otherType, Life life) implements HeldState<S> {
    @Override
    public HeldState<S> with(Life other) {
      return new Illegible<>(why, otherType, other);
    }
  }
}
