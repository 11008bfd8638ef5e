package io.testudo.ordering.log;

import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;

/**
 * The number of an object's type, with which effects and states begin: for people who list objects.
 * Nothing depends on it, and nothing else of a state is looked at.
 */
public final class TypeLabel {
  /** Nobody knows. */
  public static final int UNKNOWN = 0;

  /** In the place of a type: something about the object as a whole, and then another effect. */
  private static final int ANY_TYPE = 0;

  private static final int LIFE = 3;
  private static final int MOST_PARTS = 4;

  private TypeLabel() {}

  /**
   * After an effect; unknown if it does not say. Another type can only come with an effect that
   * speaks of the object as a whole.
   */
  public static int after(int before, Bytes effect) {
    if (effect.isEmpty() || (before != UNKNOWN && effect.at(0) != ANY_TYPE)) {
      return before;
    }
    int label = before;
    try {
      ValueReader in = new ValueReader(effect);
      for (int i = 0; i < MOST_PARTS; i++) {
        long type = in.readLong();
        if (type != ANY_TYPE) {
          return label(type);
        }
        if (in.readLong() == LIFE) {
          skipLife(in);
        } else {
          label = UNKNOWN; // Nothing was left of what it was.
        }
      }
    } catch (MalformedValueException e) {
      return label; // It ends here: there is nothing that it says of a type.
    }
    return label;
  }

  /** Of a state. */
  public static int ofState(Bytes state) {
    try {
      ValueReader in = new ValueReader(state);
      long type = in.readLong();
      if (type == ANY_TYPE) {
        skipLife(in);
        type = in.readLong();
      }
      return label(type);
    } catch (MalformedValueException e) {
      return UNKNOWN;
    }
  }

  private static void skipLife(ValueReader in) {
    long unusedTtl = in.readLong();
    boolean unusedRenewal = in.readBoolean();
    long unusedEnd = in.readLong();
  }

  private static int label(long type) {
    return type > 0 && type <= Integer.MAX_VALUE ? (int) type : UNKNOWN;
  }
}
