package io.testudo.client.keeping;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs short steps one after the other, on the threads of those who bring them, without a monitor:
 * a step that brings another one does not wait for it.
 */
final class Turnwise implements Executor {
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  @Override
  public void execute(Runnable step) {
    steps.add(step);
    if (waiting.getAndIncrement() == 0) {
      do {
        runNext();
      } while (waiting.decrementAndGet() > 0);
    }
  }

  private void runNext() {
    Runnable next = steps.poll();
    if (next == null) {
      throw new IllegalStateException("a step was counted that is not there");
    }
    try {
      next.run();
    } catch (RuntimeException | Error e) { // Else no step would ever follow.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
