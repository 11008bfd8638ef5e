package io.testudo.bench.measure;

import java.util.concurrent.locks.LockSupport;

/** The time of the bench, and the only place where its measuring thread waits. */
public interface BenchClock {
  long nanos();

  /** Waits for that time, for {@link #wake}, or for nothing at all; the caller looks again. */
  void pauseUntil(long nanos);

  /** Ends a pause of that thread, or its next one if it is in none. */
  default void wake(Thread waiting) {
    LockSupport.unpark(waiting);
  }

  /** The monotonic clock of this machine. */
  static BenchClock system() {
    return SystemClock.INSTANCE;
  }

  /** Parks, rather than spins: on two cores a spinning thread takes half of what is measured. */
  enum SystemClock implements BenchClock {
    INSTANCE;

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void pauseUntil(long nanos) {
      long leftNanos = nanos - System.nanoTime();
      if (leftNanos > 0) {
        LockSupport.parkNanos(this, leftNanos);
      }
    }
  }
}
