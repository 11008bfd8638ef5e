package io.testudo.node.demo;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What clients were told of the counter, and whether it can be. */
final class CountWatch {
  private final Set<Long> values = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private long acknowledged;
  private long askedAgain;
  private long unresolved;
  private long highest;
  private long version;

  /**
   * How it stands.
   *
   * @param acknowledged increments that clients know to have happened
   * @param askedAgain those of which this was known only after asking again
   * @param unresolved those of which nothing is known
   */
  record View(
      long acknowledged,
      long askedAgain,
      long unresolved,
      long highest,
      long version,
      List<String> problems) {}

  /**
   * An increment by one happened.
   *
   * @param value after it
   */
  synchronized void acknowledged(String name, long value, long atVersion, boolean afterAsking) {
    acknowledged++;
    askedAgain += afterAsking ? 1 : 0;
    if (!values.add(value)) {
      problems.add("%s was told %d, and so was another".formatted(name, value));
    }
    highest = Math.max(highest, value);
    version = Math.max(version, atVersion);
  }

  /** Nobody knows whether an increment happened. */
  synchronized void unresolved() {
    unresolved++;
  }

  synchronized View view() {
    return new View(acknowledged, askedAgain, unresolved, highest, version, List.copyOf(problems));
  }

  /** How many increments are missing from what the counter says in the end, or were told twice. */
  static long lost(View view, long finalValue) {
    return Math.max(0, view.acknowledged() - finalValue) + view.problems().size();
  }

  /** How many the counter has too many. */
  static long invented(View view, long finalValue) {
    return Math.max(0, finalValue - view.acknowledged() - view.unresolved());
  }
}
