package io.testudo.bench.contention.counter;

import io.testudo.bench.measure.MeasurementException;
import java.util.HashSet;
import java.util.Set;

/**
 * What must hold of a counter: each increment gives a count of its own, above all that were given
 * before it began; none that was answered is lost, and none happens twice. Figures of a run in
 * which it does not hold would mean nothing.
 */
final class CounterCheck {
  private final Set<Long> given = new HashSet<>();
  private long highest;
  private int unknown;

  /** The highest count that anybody has been given: what begins now must show it. */
  long highest() {
    return highest;
  }

  void incremented(long count, long highestBefore) {
    if (count <= highestBefore) {
      throw failure("an increment gave %d after one that gave %d", count, highestBefore);
    }
    if (!given.add(count)) {
      throw failure("two increments gave %d, of %d", count, given.size());
    }
    highest = Math.max(highest, count);
  }

  /** Who submitted an increment died before it was answered. */
  void becameUnknown() {
    unknown++;
  }

  void read(long count, long highestBefore) {
    if (count < highestBefore) {
      throw failure("a read gave %d after an increment that gave %d", count, highestBefore);
    }
    highest = Math.max(highest, count);
  }

  /** All has come to rest, and this is the count. */
  void ended(long count) {
    if (count < given.size() || count > given.size() + unknown) {
      throw failure("the counter is at %d after %d increments", count, given.size());
    }
  }

  private static MeasurementException failure(String what, long one, long other) {
    return new MeasurementException(what.formatted(one, other), null);
  }
}
