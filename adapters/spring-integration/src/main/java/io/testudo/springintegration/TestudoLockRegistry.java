package io.testudo.springintegration;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Locks that servers grant, up to b of which may lie, by keys. A key gives the same lock as long as
 * the registry remembers it. The locks are reentrant and belong to threads, and leases renew
 * themselves for as long as the options say. Threads of this process line up among themselves, so
 * servers see one contender for each key.
 *
 * <p>A lock that was lost while it was held cannot be entered again; its last {@code unlock} is a
 * {@link java.util.ConcurrentModificationException}. What must never see two holders checks the
 * {@link #fencingToken}.
 */
public final class TestudoLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {
  /** So many locks are remembered; beyond that those are forgotten that nobody has. */
  private static final int CAPACITY = 100_000;

  private final TestudoClient client;
  private final String prefix;
  private final @Nullable LockOptions options;
  private final ConcurrentMap<String, RegisteredLock> locks = new ConcurrentHashMap<>();

  /** Names locks as their keys. */
  public TestudoLockRegistry(TestudoClient client) {
    this(client, "", null);
  }

  /**
   * A registry.
   *
   * @param prefix begins the name of each lock, so that registries do not meet each other's
   * @param options such as how long leases renew themselves; null for those of the client
   */
  public TestudoLockRegistry(TestudoClient client, String prefix, @Nullable LockOptions options) {
    this.client = client;
    this.prefix = prefix;
    this.options = options;
  }

  /** The lock whose name is the prefix and the key's text. */
  @Override
  public Lock obtain(Object lockKey) {
    if (locks.size() >= CAPACITY) {
      expireUnusedOlderThan(0);
    }
    return locks.computeIfAbsent(prefix + lockKey, this::lock);
  }

  private RegisteredLock lock(String name) {
    return new RegisteredLock(options == null ? client.lock(name) : client.lock(name, options));
  }

  /** Forgets locks that nobody has and nobody asked for in so many milliseconds. */
  @Override
  public void expireUnusedOlderThan(long age) {
    long ageNanos = Duration.ofMillis(age).toNanos();
    locks.values().removeIf(lock -> lock.isIdle(ageNanos));
  }

  @Override
  public void renewLock(Object lockKey) {
    held(lockKey).renew();
  }

  /**
   * The fencing token of the lock that this thread has.
   *
   * @throws IllegalMonitorStateException if it does not have it
   */
  public long fencingToken(Object lockKey) {
    return held(lockKey).fencingToken();
  }

  private RegisteredLock held(Object lockKey) {
    RegisteredLock lock = locks.get(prefix + lockKey);
    if (lock == null) {
      throw new IllegalMonitorStateException(
          "This thread does not have the lock '%s%s'.".formatted(prefix, lockKey));
    }
    return lock;
  }
}
