package io.testudo.ordering.typed;

import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectType;

/** For objects whose type does not matter: what can be done to all of them. */
public final class AnyObject {
  /** A number that no object has. */
  static final int NUMBER = ObjectType.LAST_RESERVED_NUMBER;

  /** Whatever is there is of another type; no state is ever written as one of this. */
  public static final ObjectType<Nothing> TYPE =
      ObjectType.of(
          NUMBER, "any", Codec.of((nothing, out) -> {}, in -> Nothing.NOTHING), Nothing.NOTHING);

  private AnyObject() {}
}
