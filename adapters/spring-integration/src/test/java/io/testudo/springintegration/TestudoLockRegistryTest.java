package io.testudo.springintegration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.LockLostException;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Spring Integration expects of a registry, as its tests of its own registries show. */
@SuppressWarnings("LockNotBeforeTry") // A test that fails leaves nothing to unlock.
class TestudoLockRegistryTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final String key = UUID.randomUUID().toString();
  private final ExecutorService otherThread = Executors.newSingleThreadExecutor();
  private TestudoClient client;
  private TestudoLockRegistry registry;
  private TestudoClient otherClient;
  private TestudoLockRegistry otherRegistry;

  @BeforeEach
  void connect(TestudoCluster cluster) {
    client = cluster.client();
    otherClient = cluster.client();
    registry = new TestudoLockRegistry(client);
    otherRegistry = new TestudoLockRegistry(otherClient);
  }

  @AfterEach
  void close() {
    otherThread.shutdownNow();
    client.close();
    otherClient.close();
  }

  private <T> T elsewhere(Callable<T> task) throws Exception {
    return otherThread.submit(task).get(GUARD_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void givesTheSameLockForTheSameKey() {
    assertThat(registry.obtain(key)).isSameAs(registry.obtain(key));
    assertThat(registry.obtain(key)).isNotSameAs(registry.obtain("another"));
  }

  @Test
  void isReentrantInAllItsForms() throws Exception {
    Lock lock = registry.obtain(key);
    lock.lock();
    lock.lockInterruptibly();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
    for (int depth = 4; depth > 0; depth--) {
      assertThat(elsewhere(() -> lock.tryLock())).as("at depth %s", depth).isFalse();
      lock.unlock();
    }
    assertThat(
            elsewhere(
                () -> {
                  boolean locked = lock.tryLock(GUARD_SECONDS, TimeUnit.SECONDS);
                  lock.unlock();
                  return locked;
                }))
        .isTrue();
  }

  @Test
  void threadsOfOneRegistryExcludeEachOther() throws Exception {
    excludesEachOther(registry, registry);
  }

  @Test
  void registriesOfTwoProcessesExcludeEachOther() throws Exception {
    excludesEachOther(registry, otherRegistry);
  }

  /** Nobody is in while another is, in whatever order they come. */
  private void excludesEachOther(TestudoLockRegistry one, TestudoLockRegistry two)
      throws Exception {
    AtomicInteger inside = new AtomicInteger();
    Callable<Integer> task =
        () -> {
          int most = 0;
          Lock lock = (Thread.currentThread().getName().startsWith("pool") ? two : one).obtain(key);
          for (int turn = 0; turn < 10; turn++) {
            lock.lockInterruptibly();
            most = Math.max(most, inside.incrementAndGet());
            inside.decrementAndGet();
            lock.unlock();
          }
          return most;
        };
    Future<Integer> other = otherThread.submit(task);
    assertThat(task.call()).isEqualTo(1);
    assertThat(other.get(GUARD_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void oneKeyDoesNotHinderAnother() throws Exception {
    registry.obtain(key).lock();
    Lock another = otherRegistry.obtain(key + "-2");
    assertThat(another.tryLock(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    another.unlock();
    registry.obtain(key).unlock();
  }

  @Test
  void onlyTheThreadThatLockedUnlocks() throws Exception {
    Lock lock = registry.obtain(key);
    lock.lock();
    assertThatThrownBy(
            () ->
                elsewhere(
                    () -> {
                      lock.unlock();
                      return null;
                    }))
        .hasCauseInstanceOf(IllegalMonitorStateException.class);
    lock.unlock();
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
  }

  @Test
  void aWaitThatIsInterruptedHoldsNothing() throws Exception {
    Lock lock = registry.obtain(key);
    lock.lock();
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Future<?> waiter =
        otherThread.submit(
            () -> {
              asks.countDown();
              try {
                otherRegistry.obtain(key).lockInterruptibly();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    assertThat(asks.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    waiter.cancel(true);
    assertThat(interrupted.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
  }

  @Test
  void executesUnderTheLock() throws Exception {
    assertThat(
            registry.<Boolean, Exception>executeLocked(
                key, () -> elsewhere(() -> otherRegistry.obtain(key).tryLock())))
        .isFalse();
    registry.obtain(key).lock();
    assertThatThrownBy(
            () ->
                elsewhere(
                    () -> {
                      otherRegistry.executeLocked(key, Duration.ofMillis(1), () -> {});
                      return null;
                    }))
        .hasCauseInstanceOf(TimeoutException.class);
    registry.obtain(key).unlock();
  }

  @Test
  void forgetsOnlyLocksThatNobodyHas() {
    Lock held = registry.obtain(key);
    Lock idle = registry.obtain("idle");
    held.lock();
    registry.expireUnusedOlderThan(Duration.ofDays(1).toMillis());
    assertThat(registry.obtain("idle")).isSameAs(idle);
    registry.expireUnusedOlderThan(0);
    assertThat(registry.obtain(key)).isSameAs(held);
    assertThat(registry.obtain("idle")).isNotSameAs(idle);
    held.unlock();
    registry.expireUnusedOlderThan(0);
    assertThat(registry.obtain(key)).isNotSameAs(held);
  }

  @Test
  void renewsAndShowsTheTokenOfWhatItsThreadHas() throws Exception {
    assertThatExceptionOfType(IllegalMonitorStateException.class)
        .isThrownBy(() -> registry.renewLock(key));
    Lock lock = registry.obtain(key);
    lock.lock();
    long token = registry.fencingToken(key);
    registry.renewLock(key);
    assertThat(registry.fencingToken(key)).isEqualTo(token);
    assertThatThrownBy(() -> elsewhere(() -> registry.fencingToken(key)))
        .hasCauseInstanceOf(IllegalMonitorStateException.class);
    lock.unlock();
    lock.lock();
    assertThat(registry.fencingToken(key)).isGreaterThan(token);
    lock.unlock();
  }

  @Test
  void tellsOfALossAndCanThenBeLockedAgain(TestudoCluster cluster) throws Exception {
    TestudoLockRegistry brief =
        new TestudoLockRegistry(
            client,
            "brief-",
            LockOptions.standard().withHold(Duration.ofMillis(50)).withoutAutoRenewal());
    Lock lock = brief.obtain(key);
    lock.lock();
    // The next holder comes when servers know that the lease is over.
    otherRegistry.obtain("brief-" + key).lock();
    otherRegistry.obtain("brief-" + key).unlock();
    assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
    assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    lock.lock();
    assertThat(brief.fencingToken(key)).isPositive();
  }

  @Test
  void hasNoConditions() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> registry.obtain(key).newCondition());
  }
}
