package io.testudo.ordering.log;

import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;

/**
 * Which operations say how long an object is there. Their first two numbers say so, and are read
 * here exactly as by whoever applies them; nothing else of an operation is looked at.
 */
final class LifeLabel {
  /** In the place of a type: something that every type has. */
  private static final int ANY_TYPE = 0;

  /** The one of these that changes nothing but what the clock has ended. */
  private static final int SETTLE = 2;

  private LifeLabel() {}

  static boolean isOnLife(Bytes operation) {
    try {
      ValueReader in = new ValueReader(operation);
      return in.readLong() == ANY_TYPE && in.readLong() != SETTLE;
    } catch (MalformedValueException e) {
      return false; // Nobody can apply it.
    }
  }
}
