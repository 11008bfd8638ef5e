package io.testudo.client.keeping;

import io.testudo.mutex.Lease;
import io.testudo.mutex.NotAcquiredException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for futures. */
final class Blocking {
  private Blocking() {}

  /** Interrupted, it withdraws the request and gives back what was granted meanwhile. */
  static Lease lease(CompletableFuture<Lease> asked) throws InterruptedException {
    try {
      return interruptibly(asked);
    } catch (InterruptedException e) {
      if (!asked.cancel(false) && !asked.isCompletedExceptionally()) {
        asked.join().close();
      }
      throw e;
    }
  }

  static Optional<Lease> leaseInTime(CompletableFuture<Lease> asked) throws InterruptedException {
    try {
      return Optional.of(lease(asked));
    } catch (NotAcquiredException e) {
      return Optional.empty();
    }
  }

  /** Empty, and the future cancelled, if the wait was too short. */
  static <T> Optional<T> inTime(CompletableFuture<T> asked, Duration wait)
      throws InterruptedException {
    try {
      return Optional.of(asked.get(Clipped.nanos(wait), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return asked.cancel(false) ? Optional.empty() : Optional.of(interruptibly(asked));
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      boolean unused = asked.cancel(false);
      throw e;
    }
  }

  static <T> T interruptibly(CompletableFuture<T> asked) throws InterruptedException {
    if (Thread.interrupted()) {
      boolean unused = asked.cancel(false);
      throw new InterruptedException();
    }
    try {
      return asked.get();
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      boolean unused = asked.cancel(false);
      throw e;
    }
  }

  static <T> T uninterruptibly(CompletableFuture<T> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw unchecked(e.getCause());
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof RuntimeException failure) {
      failure.fillInStackTrace(); // It was made elsewhere; what helps is who asked.
      return failure;
    }
    throw new IllegalStateException(cause);
  }
}
