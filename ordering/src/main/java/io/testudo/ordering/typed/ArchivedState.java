package io.testudo.ordering.typed;

import io.testudo.ordering.ObjectType;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;

/** A state of an object whose type is found out by looking at it. */
public sealed interface ArchivedState {
  /** Nobody has changed the object yet. */
  record Untouched() implements ArchivedState {}

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

    Bytes encode() {
      return model.encode(held);
    }

    /** As it is written down: a time to live is of the object, and not of what it holds. */
    Bytes encodeWithoutEnd() {
      return model.encode(held.with(Life.ENDLESS));
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
  record Whole(int type, Bytes bytes) implements ArchivedState {}

  /**
   * Of another type, and changed in a way that only its own clients understand.
   *
   * @param type number of the type
   * @param why to tell people
   */
  record Unreadable(int type, String why) implements ArchivedState {}
}
