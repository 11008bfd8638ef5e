package io.testudo.springintegration;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockLostException;
import io.testudo.quorum.NoQuorumException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock of a registry: first this process has to be let in by its own threads, then by servers.
 */
final class RegisteredLock implements Lock {
  private final DistributedLock servers;
  private final ReentrantLock threads = new ReentrantLock();

  /** Of the thread that has {@link #threads}; null while it asks. */
  private @Nullable Lease lease;

  private volatile long lastUsedNanos = System.nanoTime();

  RegisteredLock(DistributedLock servers) {
    this.servers = servers;
  }

  boolean isIdle(long ageNanos) {
    return !threads.isLocked()
        && !threads.hasQueuedThreads()
        && System.nanoTime() - lastUsedNanos >= ageNanos;
  }

  @Override
  public void lock() {
    threads.lock();
    boolean entered = false;
    try {
      if (!isEnteredAgain()) {
        lease = join();
      }
      entered = true;
    } finally {
      leaveUnless(entered);
    }
  }

  /** Leaves interrupts for later. */
  private Lease join() {
    try {
      return servers.acquireAsync().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw e;
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    threads.lockInterruptibly();
    boolean entered = false;
    try {
      if (!isEnteredAgain()) {
        lease = servers.acquire();
      }
      entered = true;
    } finally {
      leaveUnless(entered);
    }
  }

  /** False also if too few servers answer. An interrupt is left for later. */
  @Override
  public boolean tryLock() {
    if (!threads.tryLock()) {
      return false;
    }
    boolean entered = false;
    try {
      entered = isEnteredAgain() || take(servers.tryAcquire());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (NoQuorumException e) {
      entered = false;
    } finally {
      leaveUnless(entered);
    }
    return entered;
  }

  /** False also if too few servers answer. */
  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    long startNanos = System.nanoTime();
    if (!threads.tryLock(time, unit)) {
      return false;
    }
    boolean entered = false;
    try {
      long leftNanos = Math.max(0, unit.toNanos(time) - (System.nanoTime() - startNanos));
      entered = isEnteredAgain() || take(servers.tryAcquire(Duration.ofNanos(leftNanos)));
    } catch (NoQuorumException e) {
      entered = false;
    } finally {
      leaveUnless(entered);
    }
    return entered;
  }

  /** Whether this thread has it already; with {@link #threads}. */
  private boolean isEnteredAgain() {
    lastUsedNanos = System.nanoTime();
    if (threads.getHoldCount() == 1) {
      return false;
    }
    if (lease == null || !lease.isHeld()) {
      throw new LockLostException(servers.name());
    }
    return true;
  }

  private boolean take(Optional<Lease> granted) {
    lease = granted.orElse(null);
    return granted.isPresent();
  }

  private void leaveUnless(boolean entered) {
    if (!entered) {
      threads.unlock();
    }
  }

  @Override
  public void unlock() {
    Lease mine = lease();
    if (threads.getHoldCount() > 1) {
      threads.unlock();
      return;
    }
    boolean wasHeld = mine.isHeld();
    lease = null;
    lastUsedNanos = System.nanoTime();
    mine.close();
    threads.unlock();
    if (!wasHeld) {
      throw new ConcurrentModificationException(
          "The lock '%s' was lost before it was unlocked; check what was done meanwhile."
              .formatted(servers.name()));
    }
  }

  void renew() {
    lease().renew();
  }

  long fencingToken() {
    return lease().fencingToken();
  }

  private Lease lease() {
    if (!threads.isHeldByCurrentThread() || lease == null) {
      throw new IllegalMonitorStateException(
          "This thread does not have the lock '%s'.".formatted(servers.name()));
    }
    return lease;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("No server could wake those who wait.");
  }

  @Override
  public String toString() {
    return "RegisteredLock(%s)".formatted(servers.name());
  }
}
