package io.testudo.mutex.client;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NoQuorumException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock of a {@link LockClient}. */
final class ClientLock implements DistributedLock {
  private final String name;
  private final LockOptions options;
  private final Function<LockOptions, LockClient.Serving> serving;
  private final LockMachine machine;

  @SuppressWarnings("ThreadLocalUsage") // Each object has its own holders.
  private final ThreadLocal<@Nullable Hold> holds = new ThreadLocal<>();

  /** What a thread has locked, and how often. */
  private static final class Hold {
    final HeldLease lease;
    int depth = 1;

    Hold(HeldLease lease) {
      this.lease = lease;
    }
  }

  /**
   * A lock.
   *
   * @param serving finds the machine that serves such options, and checks that it can
   */
  ClientLock(String name, LockOptions asked, Function<LockOptions, LockClient.Serving> serving) {
    this.name = name;
    this.serving = serving;
    LockClient.Serving usual = serving.apply(asked);
    this.options = usual.options();
    this.machine = usual.machine();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LockOptions options() {
    return options;
  }

  /** The usual request, with what the options say. */
  private LockRequest request() {
    return request(Times.nanosOfWait(options.maxWait()));
  }

  private LockRequest request(long waitNanos) {
    return LockRequest.of(machine, name, options, waitNanos);
  }

  private LockRequest request(LockOptions changed) {
    LockClient.Serving found = serving.apply(changed);
    return LockRequest.of(
        found.machine(), name, found.options(), Times.nanosOfWait(changed.maxWait()));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return waitFor(request());
  }

  @Override
  public Lease acquire(LockOptions changed) throws InterruptedException {
    return waitFor(request(changed));
  }

  private static HeldLease waitFor(LockRequest request) throws InterruptedException {
    return Waiter.interruptibly(request, request.patienceNanos());
  }

  @Override
  public Optional<Lease> tryAcquire() throws InterruptedException {
    return tryAcquire(Duration.ZERO);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    try {
      return Optional.of(waitFor(request(Times.nanosOfWait(wait))));
    } catch (NotAcquiredException e) {
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<Lease> acquireAsync() {
    return promise(request());
  }

  @Override
  public CompletableFuture<Lease> acquireAsync(LockOptions changed) {
    try {
      return promise(request(changed));
    } catch (ClosedException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Lease> promise(LockRequest request) {
    return Promise.of(request, machine.callbacks());
  }

  @Override
  public void lock() {
    if (!enterAgain()) {
      LockRequest request = request();
      holds.set(new Hold(Waiter.uninterruptibly(request, request.patienceNanos())));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!enterAgain()) {
      holds.set(new Hold(waitFor(request())));
    }
  }

  @Override
  public boolean tryLock() {
    if (has() && !options.reentrant()) {
      return false;
    }
    if (enterAgain()) {
      return true;
    }
    LockRequest request = request(0);
    try {
      holds.set(new Hold(Waiter.uninterruptibly(request, request.patienceNanos())));
      return true;
    } catch (NotAcquiredException | NoQuorumException e) {
      return false;
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (has() && !options.reentrant()) {
      return false; // It would wait for itself.
    }
    if (enterAgain()) {
      return true;
    }
    try {
      holds.set(new Hold(waitFor(request(Math.max(0, unit.toNanos(time))))));
      return true;
    } catch (NotAcquiredException | NoQuorumException e) {
      return false;
    }
  }

  /** Whether this thread has it, or had it and lost it without noticing. */
  private boolean has() {
    Hold hold = holds.get();
    if (hold != null && hold.lease.state() == TimedLease.State.CLOSED) {
      holds.remove(); // Somebody closed the lease itself.
      return false;
    }
    return hold != null;
  }

  /** False if this thread does not have it yet. */
  private boolean enterAgain() {
    if (!has()) {
      return false;
    }
    Hold hold = mine();
    if (!hold.lease.isHeld()) {
      throw new LockLostException(name);
    }
    if (!options.reentrant()) {
      throw new IllegalMonitorStateException(
          "This thread has locked '%s' already; make the lock reentrant if that is meant."
              .formatted(name));
    }
    hold.depth = Math.incrementExact(hold.depth);
    return true;
  }

  private Hold mine() {
    Hold hold = holds.get();
    if (hold == null) {
      throw new IllegalMonitorStateException(
          "This thread has not locked '%s' by this object; unlock the object that was locked, in the thread that did (each call of lock(name) gives another object)."
              .formatted(name));
    }
    return hold;
  }

  @Override
  public void unlock() {
    Hold hold = mine();
    // Before it is given back: afterwards nothing is held in any case.
    boolean held = hold.lease.isHeld();
    boolean closed = hold.lease.state() == TimedLease.State.CLOSED;
    hold.depth--;
    if (hold.depth == 0 || closed) {
      holds.remove();
      hold.lease.close();
    }
    if (closed) {
      throw new IllegalMonitorStateException(
          "The lease of this thread on '%s' was closed before; unlock or close it, not both."
              .formatted(name));
    }
    if (!held) {
      throw new LockLostException(name);
    }
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Hold hold = holds.get();
    return hold != null && hold.lease.isHeld();
  }

  @Override
  public Lease currentLease() {
    return mine().lease;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "A distributed lock has no conditions; wait with tryLock, or use a replicated object.");
  }

  @Override
  public String toString() {
    return "DistributedLock(" + name + ")";
  }
}
