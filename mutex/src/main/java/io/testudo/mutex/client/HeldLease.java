package io.testudo.mutex.client;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.OverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A lease of this process. The protocol says when it is lost; the clocks say whether it is held.
 */
final class HeldLease implements Lease {
  /** What has become of a lease. */
  enum State {
    /** Neither closed nor lost, as far as the protocol has told. */
    OPEN,
    /** Its holder gave it back. */
    CLOSED,
    /** It ended before its holder gave it back. */
    LOST
  }

  private final LockMachine machine;
  private final Held held;
  private final long holdNanos;
  private final LockObserver observer;
  private volatile Term term;
  private volatile State state = State.OPEN;

  /** Guarded by this. */
  private final List<Runnable> listeners = new ArrayList<>();

  HeldLease(LockMachine machine, Held held, long holdNanos, LockObserver observer) {
    this.machine = machine;
    this.held = held;
    this.holdNanos = holdNanos;
    this.observer = observer;
    this.term = held.term();
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

  State state() {
    return state;
  }

  long remainingNanos() {
    return state == State.OPEN ? Math.max(0, term.remainingNanos(machine.now())) : 0;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(remainingNanos());
  }

  @Override
  public boolean isHeld() {
    return remainingNanos() > 0;
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
  public void onLost(Runnable listener) {
    synchronized (this) {
      if (state == State.OPEN) {
        if (listeners.size() >= Lease.MAX_LISTENERS) {
          throw new OverloadedException("listeners of one lease", Lease.MAX_LISTENERS);
        }
        listeners.add(listener);
        return;
      }
    }
    if (state == State.LOST) {
      machine.callbacks().execute(listener);
    }
  }

  /** Ends the lease; false if it has ended before. */
  private boolean end(State how) {
    List<Runnable> toTell;
    synchronized (this) {
      if (state != State.OPEN) {
        return false;
      }
      state = how;
      toTell = List.copyOf(listeners);
      listeners.clear();
    }
    if (how == State.LOST) {
      observer.lost();
      toTell.forEach(machine.callbacks()::execute);
    }
    return true;
  }

  void lost() {
    boolean unused = end(State.LOST);
  }

  @Override
  public void close() {
    if (end(State.CLOSED)) {
      observer.released();
      machine.release(this);
    }
  }

  @Override
  public String toString() {
    return "Lease(%s, token %d, %s)".formatted(held.lock(), held.token(), state);
  }
}
