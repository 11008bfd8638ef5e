package io.testudo.shedlock;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Locks for scheduled tasks that servers grant, up to b of which may lie. A task keeps its lock for
 * {@code lockAtMostFor} at most, by a lease that is renewed meanwhile: if the process dies, the
 * lock is free after one hold of the lease (10 s unless configured otherwise), though {@code
 * lockAtMostFor} is longer.
 *
 * <p>A task that runs on with a lock that it has lost writes what it should not; {@link
 * #currentLease} gives it the fencing token to write with.
 */
public final class TestudoLockProvider implements ExtensibleLockProvider, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final TestudoClient client;
  private final String prefix;
  private final Duration patience;
  private final ScheduledThreadPoolExecutor timer;

  /** Names locks as their tasks. */
  public TestudoLockProvider(TestudoClient client) {
    this(client, "", PATIENCE);
  }

  /**
   * A provider.
   *
   * @param prefix begins the name of each lock
   * @param patience how long to contend for a lock that was denied at first. Processes that ask at
   *     the very same moment may deny it to each other, and then nobody would run the task. A task
   *     that is over sooner than this needs {@code lockAtLeastFor}, as it does anyway for clocks
   *     that differ
   */
  public TestudoLockProvider(TestudoClient client, String prefix, Duration patience) {
    this.client = client;
    this.prefix = prefix;
    this.patience = patience;
    this.timer = new ScheduledThreadPoolExecutor(1, TestudoLockProvider::newThread);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "testudo-shedlock");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * The lock, unless another has it.
   *
   * @throws io.testudo.quorum.NoQuorumException if too few servers answer
   * @throws IllegalStateException if the thread is interrupted, which it stays
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    String name = prefix + configuration.getName();
    try {
      DistributedLock lock = client.lock(name);
      Duration most = configuration.getLockAtMostFor();
      LockOptions options =
          lock.options().withHold(LockTerm.hold(most, lock.options().hold())).withoutAutoRenewal();
      DistributedLock asked = client.lock(name, options);
      Optional<Lease> lease = asked.tryAcquire();
      if (lease.isEmpty() && !patience.isZero()) {
        lease = asked.tryAcquire(patience);
      }
      return lease.map(
          granted -> TaskLock.begin(new LockTerm(granted, options.hold(), timer), configuration));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking for the lock '" + name + "'", e);
    }
  }

  /**
   * The lease of the task that runs on this thread under a lock of any provider of this class, for
   * its fencing token; empty outside of such tasks, and where the lock was lost.
   */
  public static Optional<Lease> currentLease() {
    return TaskLock.currentLease();
  }

  /** Ends the thread that renews; locks end with their leases. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
