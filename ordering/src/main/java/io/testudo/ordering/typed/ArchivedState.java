package io.testudo.ordering.typed;

import io.testudo.ordering.ObjectType;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;

/** A state of an object whose type is found out by looking at it. */
public sealed interface ArchivedState {
  /** Whether there is something, and until when. */
  Life life();

  /** The same with another end; nothing stays nothing. */
  ArchivedState with(Life other);

  /** Nobody has changed the object yet. */
  record Untouched() implements ArchivedState {
    @Override
    public Life life() {
      return Life.NONE;
    }

    @Override
    public ArchivedState with(Life other) {
      return this;
    }
  }

  /**
   * Of a type that is known here.
   *
   * @param model of its type
   * @param held what it holds
   */
  record Known<S>(TypedModel<S> model, Legible<S> held) implements ArchivedState {
    public ObjectType<S> type() {
      return model.type();
    }

    public S state() {
      return held.state();
    }

    @Override
    public Life life() {
      return held.life();
    }

    @Override
    public ArchivedState with(Life other) {
      return new Known<>(model, new Legible<>(held.state(), other));
    }

    Bytes encode() {
      return model.encode(held);
    }

    HeldState<S> replay(Bytes effect) {
      return model.replay(held, effect);
    }
  }

  /**
   * Of another type, or of a later version of one that is known: nothing but bytes.
   *
   * @param type number of the type, with which the bytes begin
   */
  record Whole(int type, Bytes bytes, Life life) implements ArchivedState {
    @Override
    public ArchivedState with(Life other) {
      return new Whole(type, bytes, other);
    }
  }

  /**
   * Of another type, and changed in a way that only its own clients understand.
   *
   * @param type number of the type
   * @param why to tell people
   */
  record Unreadable(int type, String why, Life life) implements ArchivedState {
    @Override
    public ArchivedState with(Life other) {
      return new Unreadable(type, why, other);
    }
  }
}
