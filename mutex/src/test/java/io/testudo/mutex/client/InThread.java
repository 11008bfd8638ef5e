package io.testudo.mutex.client;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What a thread of its own does, and how it ended. */
final class InThread<T> {
  private static final long GUARD_SECONDS = 60;

  private final Thread thread;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  private InThread(Callable<T> what) {
    thread =
        new Thread(
            () -> {
              try {
                result.complete(what.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
  }

  static <T> InThread<T> start(Callable<T> what) {
    InThread<T> started = new InThread<>(what);
    started.thread.start();
    return started;
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Whether the thread is parked: it has left whatever it called before. */
  boolean isParked() {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  boolean isDone() {
    return result.isDone();
  }

  T result() throws Exception {
    return result.get(GUARD_SECONDS, TimeUnit.SECONDS);
  }

  Throwable failure() throws Exception {
    try {
      throw new AssertionError("it did not fail but gave " + result());
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }
}
