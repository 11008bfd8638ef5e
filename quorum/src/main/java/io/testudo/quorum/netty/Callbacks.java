package io.testudo.quorum.netty;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs what applications want to hear of: listeners and what is chained to futures. Never on the
 * loop, where a listener that blocks would stop everything else of the process. On threads of its
 * own, any of them may wait for any others: see {@link GrowingPool}.
 */
public final class Callbacks implements Executor, AutoCloseable {
  /** For whoever waits for an answer when the application has ended its executor. */
  private static final GrowingPool SPARE = new GrowingPool("testudo-callback");

  private final Executor executor;
  private final @Nullable GrowingPool own;

  private Callbacks(Executor executor, @Nullable GrowingPool own) {
    this.executor = executor;
    this.own = own;
  }

  /**
   * On an executor of the application, which ends it. What a callback throws is told to its thread,
   * and goes no further: where that is the loop, what comes after it there would be lost. If its
   * threads are too few for callbacks that wait for each other, these wait for ever.
   */
  public static Callbacks on(Executor executor) {
    return new Callbacks(task -> executor.execute(() -> runAlone(task)), null);
  }

  /**
   * On threads that are started when needed.
   *
   * @param name what their names begin with
   */
  public static Callbacks onOwnThreads(String name) {
    GrowingPool pool = new GrowingPool(name);
    return new Callbacks(pool, pool);
  }

  private static void runAlone(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      SPARE.execute(task);
    }
  }

  /** Lets its threads end when what waits was run; what comes later is run all the same. */
  @Override
  public void close() {
    if (own != null) {
      own.letGo();
    }
  }
}
