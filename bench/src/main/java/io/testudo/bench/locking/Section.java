package io.testudo.bench.locking;

import io.testudo.bench.measure.MeasurementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The empty section that a lock guards. It does nothing but look: figures of a lock that lets two
 * in would not mean anything.
 */
final class Section {
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong lastToken = new AtomicLong();

  /**
   * Passes through.
   *
   * @throws MeasurementException if another is inside, or had a larger token
   */
  void pass(long token) {
    if (inside.incrementAndGet() != 1) {
      throw new MeasurementException("two were inside at once", null);
    }
    if (lastToken.getAndSet(token) >= token) {
      throw new MeasurementException("a fencing token did not grow", null);
    }
    inside.decrementAndGet();
  }
}
