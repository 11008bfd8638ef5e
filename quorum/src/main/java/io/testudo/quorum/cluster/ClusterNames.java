package io.testudo.quorum.cluster;

import com.google.common.base.CharMatcher;

/** Which names a cluster may have: they stand in files, certificates and handshakes. */
public final class ClusterNames {
  /** The longest name of a cluster, in characters. Each is one byte. */
  public static final int MAX_LENGTH = 64;

  private static final CharMatcher ALLOWED =
      CharMatcher.inRange('a', 'z')
          .or(CharMatcher.inRange('A', 'Z'))
          .or(CharMatcher.inRange('0', '9'))
          .or(CharMatcher.anyOf("._-"));

  private ClusterNames() {}

  /** Returns the name, or throws an IllegalArgumentException that says what a name must be. */
  public static String check(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH || !ALLOWED.matchesAllOf(name)) {
      throw new IllegalArgumentException(
          "A cluster's name has 1 to %s letters, digits, dots, dashes and underscores; rename it."
              .formatted(MAX_LENGTH));
    }
    return name;
  }
}
