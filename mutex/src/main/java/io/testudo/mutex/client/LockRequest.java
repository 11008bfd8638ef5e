package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;

/** Asks for one lock. */
record LockRequest(LockMachine machine, Acquire acquire) implements Asking<HeldLease> {
  static LockRequest of(LockMachine machine, String name, LockOptions options, long waitNanos) {
    return new LockRequest(
        machine,
        new Acquire(
            name,
            options.hold().toNanos(),
            waitNanos,
            Times.nanosOfRenewal(options.autoRenewal()),
            options.persistent()));
  }

  @Override
  public Withdrawal start(CallListener<HeldLease> whenDone) {
    return machine.acquire(acquire, whenDone);
  }

  @Override
  public void giveBack(HeldLease granted) {
    granted.close();
  }

  @Override
  public TestudoException notInTime() {
    return new NotAcquiredException(acquire.lock());
  }

  long patienceNanos() {
    return Times.patienceNanos(acquire.waitNanos());
  }
}
