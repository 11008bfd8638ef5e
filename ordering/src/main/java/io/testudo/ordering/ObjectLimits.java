package io.testudo.ordering;

import com.google.common.base.Utf8;

/**
 * How large things may be. They follow from the longest message: a batch of operations, or a whole
 * state with the results that are kept beside it, has to fit into one.
 */
public final class ObjectLimits {
  /** The longest name of an object, in bytes of UTF-8: a lock is named after it. */
  public static final int MAX_NAME_BYTES = 500;

  /** The longest encoded argument of an operation. */
  public static final int MAX_ARGUMENT_BYTES = (1 << 20) - 64;

  /** The longest encoded result of an operation. */
  public static final int MAX_RESULT_BYTES = 256 << 10;

  /** The longest encoded state, and what one operation may change at most. */
  public static final int MAX_STATE_BYTES = 3 << 19;

  private ObjectLimits() {}

  /** Refuses names that no server takes. */
  public static String checkName(String name) {
    int bytes;
    try {
      bytes = Utf8.encodedLength(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The name of an object is no well-formed text; correct it.", e);
    }
    if (bytes == 0 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "The name of an object has 1 to %s bytes in UTF-8, not %s; choose another."
              .formatted(MAX_NAME_BYTES, bytes));
    }
    return name;
  }
}
