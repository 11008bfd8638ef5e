package io.testudo.mutex.client;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;

/** Asks to hold a lease for longer. */
record Renewal(LockMachine machine, HeldLease lease, long holdNanos) implements Asking<Term> {
  @Override
  public Withdrawal start(CallListener<Term> whenDone) {
    if (lease.state() != TimedLease.State.OPEN) {
      whenDone.failed(new LeaseLostException(lease.lockName()));
      return () -> {};
    }
    return machine.call(
        new RenewCall(lease.lockName(), lease.number(), holdNanos),
        new CallListener<Term>() {
          @Override
          public void completed(Term term) {
            lease.extend(term);
            whenDone.completed(term);
          }

          @Override
          public void failed(TestudoException reason) {
            whenDone.failed(reason);
          }
        });
  }

  /** A longer term does no harm: the lease ends when it is closed. */
  @Override
  public void giveBack(Term granted) {}

  @Override
  public TestudoException notInTime() {
    return new LeaseLostException(lease.lockName());
  }
}
