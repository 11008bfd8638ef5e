package io.testudo.bench.driver;

import io.testudo.bench.measure.MeasurementException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a lock guards: a number that is read and written in two steps. If two are inside at once
 * they see each other, or one of their steps is lost; then figures of the lock mean nothing.
 */
final class GuardedCount {
  private final AtomicInteger inside = new AtomicInteger();

  /** Volatile for its visibility only: that nobody else writes meanwhile is the lock's business. */
  private volatile long count;

  /**
   * Counts one more.
   *
   * @throws MeasurementException if another is inside
   */
  void pass() {
    long before = enter();
    leave(before + 1);
  }

  /** Gives what the count is. */
  long enter() {
    if (inside.incrementAndGet() != 1) {
      inside.decrementAndGet(); // What comes later is judged anew.
      throw new MeasurementException("two were inside of one lock at once", null);
    }
    return count;
  }

  void leave(long newCount) {
    count = newCount;
    inside.decrementAndGet();
  }

  long count() {
    return count;
  }
}
