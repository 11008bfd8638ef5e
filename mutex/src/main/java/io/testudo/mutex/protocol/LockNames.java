package io.testudo.mutex.protocol;

import io.testudo.crypto.SealContext;
import java.nio.charset.StandardCharsets;

/** What a lock may be called. */
public final class LockNames {
  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = SealContext.MAX_NAME_BYTES;

  private LockNames() {}

  /** The name itself, if it is one. */
  public static String check(String name) {
    // A character takes up to three bytes: short names need no counting.
    boolean fits =
        name.length() <= MAX_BYTES / 3 || name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    if (name.isEmpty() || !fits) {
      throw new IllegalArgumentException(
          "The name of a lock has 1 to %s bytes; choose another.".formatted(MAX_BYTES));
    }
    return name;
  }
}
