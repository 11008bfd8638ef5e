package io.testudo.quorum.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Runs of whatever it is with consecutive seeds, on several threads. A run has one thread; which
 * one does not matter to it.
 */
public final class SeedRuns {
  private final long firstSeed;
  private final LongConsumer run;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong finished = new AtomicLong();

  /**
   * Nothing is run yet.
   *
   * @param run makes the run of a seed; called from any thread
   */
  public SeedRuns(long firstSeed, LongConsumer run) {
    this.firstSeed = firstSeed;
    this.run = run;
  }

  /**
   * Makes the runs, and says how many were made.
   *
   * @param count how many to make
   * @param untilNanos the {@code nanoTime} after which none is begun but the first
   * @param progress hears now and then how many are done; called from any thread
   * @throws IllegalStateException if a run threw something, which ends its thread
   */
  public long make(long count, long untilNanos, int threads, LongConsumer progress)
      throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    List<Throwable> crashes = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker = new Thread(() -> work(count, untilNanos, progress), "simulate-" + i);
      worker.setUncaughtExceptionHandler(
          (thread, error) -> {
            synchronized (crashes) {
              crashes.add(error);
            }
          });
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
    if (!crashes.isEmpty()) {
      throw new IllegalStateException("the simulator itself failed", crashes.get(0));
    }
    return finished.get();
  }

  private void work(long count, long untilNanos, LongConsumer progress) {
    long next = begun.getAndIncrement();
    while (next < count && (next == 0 || System.nanoTime() - untilNanos < 0)) {
      run.accept(firstSeed + next);
      progress.accept(finished.incrementAndGet());
      next = begun.getAndIncrement();
    }
  }
}
