package io.testudo.shedlock;

import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is renewed until a moment, and then given back. The moment may be moved, by a task
 * that extends its lock or ends before it may give it back.
 */
final class LockTerm {
  /** Shorter leases would end before a slow server answers. */
  private static final Duration LEAST_HOLD = Duration.ofSeconds(1);

  /** Of a hold: two renewals may fail before it is over. */
  private static final int RENEWALS = 3;

  private final Lease lease;
  private final long holdNanos;
  private final ScheduledExecutorService timer;

  /** Guarded by this. */
  private long endNanos;

  /** Guarded by this. */
  private boolean released;

  /** Guarded by this. */
  private @Nullable Future<?> next;

  LockTerm(Lease lease, Duration hold, ScheduledExecutorService timer) {
    this.lease = lease;
    this.holdNanos = hold.toNanos();
    this.timer = timer;
    this.endNanos = System.nanoTime();
  }

  /** How long a lease is asked for whose lock is kept for so long. */
  static Duration hold(Duration most, Duration usual) {
    Duration wanted = most.compareTo(LEAST_HOLD) < 0 ? LEAST_HOLD : most;
    return wanted.compareTo(usual) < 0 ? wanted : usual;
  }

  Lease lease() {
    return lease;
  }

  /** Whether the lock is still had. */
  synchronized boolean isHeld() {
    return !released && endNanos - System.nanoTime() > 0 && lease.isHeld();
  }

  /** Keeps the lock for so long from now, whatever was said before. */
  void keepFor(Duration time) {
    synchronized (this) {
      if (released) {
        return;
      }
      endNanos = System.nanoTime() + time.toNanos();
    }
    goOn();
  }

  /** Renews the lease if it is due, gives it back if its time is over, and sets the next time. */
  private void goOn() {
    long renewNanos = 0;
    synchronized (this) {
      if (released) {
        return;
      }
      if (next != null) {
        next.cancel(false);
        next = null;
      }
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0 || !lease.isHeld()) {
        released = true;
      } else {
        long leaseNanos = lease.remaining().toNanos();
        long dueNanos = leaseNanos - holdNanos / RENEWALS * (RENEWALS - 1);
        if (leaseNanos < leftNanos && dueNanos <= 0) {
          renewNanos = Math.min(holdNanos, leftNanos);
          dueNanos = holdNanos / RENEWALS;
        }
        long wakeNanos = leaseNanos < leftNanos ? Math.min(dueNanos, leftNanos) : leftNanos;
        try {
          next = timer.schedule(this::goOn, Math.max(1, wakeNanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
          released = true; // The provider is closed, and nobody else would give it back.
        }
      }
    }
    // Without the monitor: what follows calls back.
    if (isOver()) {
      lease.close();
    } else if (renewNanos > 0) {
      // One that fails is tried again when the next is due; a lost lease shows by itself.
      Future<Void> unused = lease.renewAsync(Duration.ofNanos(renewNanos));
    }
  }

  private synchronized boolean isOver() {
    return released;
  }
}
