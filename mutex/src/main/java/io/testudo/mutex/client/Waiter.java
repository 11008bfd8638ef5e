package io.testudo.mutex.client;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for one answer. The loop leaves the answer and wakes the thread: no future,
 * no monitor, so that many blocked threads cost the loop little.
 *
 * <p>A waiter that gives up takes no answer any more. One that comes later is given back, so a
 * caller that timed out or was interrupted never holds anything.
 */
final class Waiter<L> implements CallListener<L> {
  /** Without limit. */
  static final long FOREVER = Long.MAX_VALUE;

  /**
   * The protocol itself ends a wait in time. Only if it is later than this, because something
   * blocks its loop, does the waiting thread end it.
   */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Thread thread = Thread.currentThread();
  private final Asking<L> asking;

  /** Null until there is an answer or the thread has given up. */
  private final AtomicReference<@Nullable Answer<L>> answer = new AtomicReference<>();

  private record Answer<L>(@Nullable L granted, @Nullable TestudoException failure) {
    static <L> Answer<L> abandoned() {
      return new Answer<>(null, null);
    }
  }

  private Waiter(Asking<L> asking) {
    this.asking = asking;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param limitNanos how long the answer may take; {@link #FOREVER} to leave it to the protocol
   * @throws InterruptedException if interrupted before or meanwhile; nothing is held then
   */
  static <L> L interruptibly(Asking<L> asking, long limitNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Waiter<L> waiter = new Waiter<>(asking);
    Asking.Withdrawal withdrawal = asking.start(waiter);
    if (!waiter.await(limitNanos, true)) {
      waiter.giveUp(withdrawal);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw asking.notInTime();
    }
    return waiter.taken();
  }

  /** As {@link #interruptibly}, but interrupts are left for later. */
  static <L> L uninterruptibly(Asking<L> asking, long limitNanos) {
    Waiter<L> waiter = new Waiter<>(asking);
    Asking.Withdrawal withdrawal = asking.start(waiter);
    if (!waiter.await(limitNanos, false)) {
      waiter.giveUp(withdrawal);
      throw asking.notInTime();
    }
    return waiter.taken();
  }

  /** False if there is no answer but an interrupt, or if the time is over. */
  private boolean await(long limitNanos, boolean interruptible) {
    boolean limited = limitNanos < FOREVER - GRACE_NANOS;
    long startNanos = System.nanoTime();
    boolean interrupted = false;
    try {
      while (answer.get() == null) {
        if (Thread.currentThread().isInterrupted()) {
          if (interruptible) {
            return false;
          }
          // A thread whose flag is set cannot park.
          interrupted |= Thread.interrupted();
        }
        if (limited) {
          long leftNanos = limitNanos + GRACE_NANOS - (System.nanoTime() - startNanos);
          if (leftNanos <= 0) {
            return false;
          }
          LockSupport.parkNanos(this, leftNanos);
        } else {
          LockSupport.park(this);
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void giveUp(Asking.Withdrawal withdrawal) {
    if (answer.compareAndSet(null, Answer.abandoned())) {
      withdrawal.withdraw();
      return;
    }
    Answer<L> late = answer.get();
    if (late != null && late.granted() != null) {
      asking.giveBack(late.granted());
    }
  }

  private L taken() {
    Answer<L> given = answer.get();
    if (given != null && given.granted() != null) {
      return given.granted();
    }
    if (given != null && given.failure() != null) {
      // It was made on the loop; what helps to find the error is who asked.
      given.failure().fillInStackTrace();
      throw given.failure();
    }
    throw new IllegalStateException("a waiter without an answer went on");
  }

  @Override
  public void completed(L granted) {
    if (answer.compareAndSet(null, new Answer<>(granted, null))) {
      LockSupport.unpark(thread);
    } else {
      asking.giveBack(granted);
    }
  }

  @Override
  public void failed(TestudoException reason) {
    if (answer.compareAndSet(null, new Answer<>(null, reason))) {
      LockSupport.unpark(thread);
    }
  }
}
