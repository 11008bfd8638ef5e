package io.testudo.mutex.client;

import io.testudo.mutex.LockObserver;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A lease that a lock protocol keeps. */
final class HeldLease extends TimedLease {
  private final LockMachine machine;
  private final Held held;
  private final long holdNanos;
  private final LockObserver observer;

  HeldLease(LockMachine machine, Held held, long holdNanos, LockObserver observer) {
    super(held.term());
    this.machine = machine;
    this.held = held;
    this.holdNanos = holdNanos;
    this.observer = observer;
  }

  @Override
  public String lockName() {
    return held.lock();
  }

  @Override
  public boolean hasFencingToken() {
    return machine.whyUnfenced().isEmpty();
  }

  @Override
  public long fencingToken() {
    if (!hasFencingToken()) {
      throw new UnsupportedOperationException(machine.whyUnfenced().orElseThrow());
    }
    return held.token();
  }

  /** What the protocol knows it by; where there is fencing, the token. */
  long number() {
    return held.token();
  }

  LockMachine machine() {
    return machine;
  }

  @Override
  protected Moment now() {
    return machine.now();
  }

  @Override
  protected Executor callbacks() {
    return machine.callbacks();
  }

  @Override
  public void renew() {
    renewFor(holdNanos);
  }

  @Override
  public void renew(Duration hold) {
    renewFor(Times.nanosOfHold(hold));
  }

  private void renewFor(long nanos) {
    Term unused = Waiter.uninterruptibly(new Renewal(machine, this, nanos), Waiter.FOREVER);
  }

  @Override
  public CompletableFuture<Void> renewAsync(Duration hold) {
    Renewal renewal = new Renewal(machine, this, Times.nanosOfHold(hold));
    return Promise.of(renewal, machine.callbacks()).thenAccept(renewed -> {});
  }

  /** The lease lasts longer. It never lasts shorter: answers may come in another order. */
  synchronized void extend(Term renewed) {
    if (endNanos(renewed) - endNanos(term) > 0) {
      term = renewed;
    }
  }

  private static long endNanos(Term term) {
    return term.start().nanos() + term.lengthNanos();
  }

  @Override
  protected void wasLost() {
    observer.lost();
  }

  @Override
  protected void giveBack() {
    observer.released();
    machine.release(this);
  }

  @Override
  public String toString() {
    return "Lease(%s, token %d, %s)".formatted(held.lock(), held.token(), state());
  }
}
