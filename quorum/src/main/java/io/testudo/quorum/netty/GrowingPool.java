package io.testudo.quorum.netty;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for tasks that may wait for each other. A few threads serve tasks that do not block. When
 * something waits and nothing was finished for a while, all of them block: then there are more, so
 * what they wait for gets its turn, too.
 */
final class GrowingPool implements Executor {
  /** So many serve as long as tasks end soon: a burst of short ones does not need a thread each. */
  static final int USUAL_THREADS = 16;

  /** So many tasks may block at a time; what comes then waits until one of them ends. */
  static final int MAX_THREADS = 4_096;

  private static final long STALL_MILLIS = 20;
  private static final long IDLE_SECONDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger(GrowingPool.class);

  /** Runs nothing but looks at pools: no task can keep it from that. */
  private static final ScheduledThreadPoolExecutor LOOKS = looks();

  private final ThreadPoolExecutor pool;

  /** Whether a look is under way; one at a time. */
  private final AtomicBoolean watched = new AtomicBoolean();

  GrowingPool(String name) {
    // The queue needs no limit of its own: each entry is a call or a listener, which others limit.
    // With such a queue only the core grows, and that is what grow() sets.
    pool =
        new ThreadPoolExecutor(
            USUAL_THREADS,
            USUAL_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons(name));
    pool.setMaximumPoolSize(MAX_THREADS);
    pool.allowCoreThreadTimeOut(true);
  }

  private static ScheduledThreadPoolExecutor looks() {
    ScheduledThreadPoolExecutor looks =
        new ScheduledThreadPoolExecutor(1, daemons("testudo-callback-watch"));
    looks.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    looks.allowCoreThreadTimeOut(true);
    return looks;
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(task);
    watchIfSomethingWaits();
  }

  private void watchIfSomethingWaits() {
    if (!pool.getQueue().isEmpty() && watched.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    long finished = pool.getCompletedTaskCount();
    var unused = LOOKS.schedule(() -> look(finished), STALL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look(long finishedBefore) {
    int waiting = pool.getQueue().size();
    if (waiting == 0) {
      pool.setCorePoolSize(USUAL_THREADS);
      watched.set(false);
      watchIfSomethingWaits(); // It may have come before the line above.
      return;
    }
    if (pool.getCompletedTaskCount() == finishedBefore) {
      grow(waiting);
    }
    lookLater();
  }

  private void grow(int waiting) {
    int present = Math.max(USUAL_THREADS, pool.getPoolSize());
    int more = Math.min(waiting, present);
    try {
      pool.setCorePoolSize(Math.min(MAX_THREADS, present + more));
    } catch (Error e) {
      // The system gives no more threads. The next look tries again.
      LOG.warn("{} callbacks block, and there are no threads for {} more", present, waiting, e);
    }
  }

  /** Lets threads go as soon as they have nothing to do; it takes tasks all the same. */
  void letGo() {
    pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
  }
}
