package io.testudo.shedlock;

import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

/** The lock of one task, from when it begins or was last extended. */
final class TaskLock extends AbstractSimpleLock {
  /** The innermost task of this thread that has not ended. */
  private static final ThreadLocal<@Nullable TaskLock> CURRENT = new ThreadLocal<>();

  private final LockTerm term;
  private final long startNanos = System.nanoTime();
  private final @Nullable TaskLock outer;
  private volatile boolean ended;

  private TaskLock(LockTerm term, LockConfiguration configuration, @Nullable TaskLock outer) {
    super(configuration);
    this.term = term;
    this.outer = outer;
  }

  static SimpleLock begin(LockTerm term, LockConfiguration configuration) {
    term.keepFor(configuration.getLockAtMostFor());
    TaskLock lock = new TaskLock(term, configuration, current());
    CURRENT.set(lock);
    return lock;
  }

  static Optional<Lease> currentLease() {
    TaskLock lock = current();
    return lock == null ? Optional.empty() : Optional.of(lock.term.lease());
  }

  /** Those that ended on other threads, or were lost, are no longer current here. */
  private static @Nullable TaskLock current() {
    TaskLock lock = CURRENT.get();
    while (lock != null && (lock.ended || !lock.term.isHeld())) {
      lock = lock.outer;
    }
    if (lock == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(lock);
    }
    return lock;
  }

  @Override
  protected void doUnlock() {
    ended = true;
    TaskLock unused = current();
    Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
    term.keepFor(lockConfiguration.getLockAtLeastFor().minus(passed));
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
    ended = true;
    TaskLock unused = current();
    return term.isHeld() ? Optional.of(begin(term, extended)) : Optional.empty();
  }
}
