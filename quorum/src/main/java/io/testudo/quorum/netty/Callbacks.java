package io.testudo.quorum.netty;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs what applications want to hear of: listeners and what is chained to futures. Never on the
 * loop, where a listener that blocks would stop everything else of the process.
 */
public final class Callbacks implements Executor, AutoCloseable {
  /** So many listeners may block at a time before others wait. */
  private static final int MAX_THREADS = 16;

  private static final long IDLE_SECONDS = 10;

  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;

  private Callbacks(Executor executor, @Nullable ThreadPoolExecutor own) {
    this.executor = executor;
    this.own = own;
  }

  /** On an executor of the application, which ends it. */
  public static Callbacks on(Executor executor) {
    return new Callbacks(executor, null);
  }

  /**
   * On threads that are started when needed.
   *
   * @param name what their names begin with
   */
  public static Callbacks onOwnThreads(String name) {
    AtomicInteger number = new AtomicInteger();
    // The queue needs no limit of its own: each entry is a call or a listener, which others limit.
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return new Callbacks(pool, pool);
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      // The client is closed; whoever waits must still hear of it.
      task.run();
    }
  }

  /** Ends the threads when what waits was run. */
  @Override
  public void close() {
    if (own != null) {
      own.shutdown();
    }
  }
}
