package io.testudo.mutex.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about. */
final class Conditions {
  /** A hang guard, generous for a loaded machine. */
  private static final long GUARD_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** So that looking does not take the time of those who bring it about. */
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private Conditions() {}

  static void await(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > GUARD_NANOS) {
        throw new AssertionError("waited in vain until " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
