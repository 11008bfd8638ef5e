package io.testudo.bench.scale;

import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import java.util.Locale;

/**
 * What is measured.
 *
 * @param subject a lock or an object
 * @param isSilent whether one server falls silent before it is measured
 */
record ScaleCase(
    Subject subject,
    int servers,
    int byzantine,
    QuorumKind quorums,
    Access access,
    boolean isSilent) {
  /** What clients use. */
  enum Subject {
    /** Pairs of acquire and release, each of a lock that nobody else wants. */
    LOCK,
    /** Increments of counters that nobody else increments. */
    OBJECT;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What people call the way to ask. */
  String accessWord() {
    return access == Access.ALL ? "all" : quorums.word();
  }
}
