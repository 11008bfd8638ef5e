package io.testudo.ordering.protocol;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.cluster.Rights;
import java.nio.charset.StandardCharsets;

/** What an object may be called, and what the lock is called by which its orderers take turns. */
public final class ObjectNames {
  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = LockNames.MAX_BYTES - Rights.OBJECT_LOCKS.length();

  private ObjectNames() {}

  /** The name itself, if it is one. */
  public static String check(String name) {
    boolean fits =
        name.length() <= MAX_BYTES / 3 || name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    if (name.isEmpty() || !fits) {
      throw new IllegalArgumentException(
          "The name of an object has 1 to %s bytes; choose another.".formatted(MAX_BYTES));
    }
    return name;
  }

  static String lockOf(String object) {
    return Rights.OBJECT_LOCKS + object;
  }

  static String objectOf(String lock) {
    return lock.substring(Rights.OBJECT_LOCKS.length());
  }
}
