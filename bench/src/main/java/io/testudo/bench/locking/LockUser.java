package io.testudo.bench.locking;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;

/** One who takes turns at a lock, and what the lock guards. */
record LockUser(DistributedLock lock, Section section) {
  /** Waits for the lock, passes through the section and leaves. */
  void takeTurn(Completion completion) throws InterruptedException {
    try (Lease lease = lock.acquire()) {
      completion.reached();
      pass(lease);
    }
  }

  /**
   * Passes through the section.
   *
   * @throws MeasurementException if the lock did not guard it
   */
  void pass(Lease lease) {
    section.pass(lease.fencingToken());
    if (!lease.isHeld()) {
      throw new MeasurementException("a lease was lost", null);
    }
  }
}
