package io.testudo.mutex.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.quorum.netty.NettyClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view as a {@code java.util.concurrent.locks.Lock}: a lease for each thread. */
@Timeout(120)
@SuppressWarnings("LockNotBeforeTry") // What happens between lock and unlock is what is tested.
class ClientLockTest {
  private static final LockOptions REENTRANT = FakeBackend.LONG.withReentrance(true);

  private final FakeBackend backend = new FakeBackend();
  @AutoClose private final NettyClient connections = FakeBackend.connections();

  @AutoClose
  private final LockClient client =
      LockClient.on(connections, 4, 1).backend(backend).options(FakeBackend.LONG).build();

  private final DistributedLock lock = client.lock("orders");

  @Test
  void twoThreadsOnOneObjectExcludeEachOther() throws Exception {
    lock.lock();
    InThread<Boolean> other =
        InThread.start(
            () -> {
              lock.lock();
              boolean held = lock.isHeldByCurrentThread();
              lock.unlock();
              return held;
            });
    Conditions.await("the other waits", () -> backend.machine.waiting.get() == 1);
    assertThat(other.isDone()).isFalse();
    lock.unlock();
    assertThat(other.result()).isTrue();
  }

  @Test
  void twoObjectsWithOneNameExcludeEachOther() throws InterruptedException {
    lock.lock();
    assertThat(client.lock("orders").tryAcquire()).isEmpty();
    assertThat(client.lock("others").tryAcquire()).isPresent();
  }

  @Test
  void renewsForFiveMinutesUnlessToldOtherwise() throws InterruptedException {
    lock.acquire(LockOptions.standard()).close();
    lock.acquire(LockOptions.standard().withEndlessRenewal()).close();
    assertThat(backend.machine.asked)
        .extracting(Acquire::keepNanos)
        .containsExactly(MINUTES.toNanos(5), Long.MAX_VALUE);
  }

  @Test
  void aReentrantLockIsFreeOnlyAfterTheLastUnlock() throws InterruptedException {
    DistributedLock reentrant = client.lock("orders", REENTRANT);
    reentrant.lock();
    assertThat(reentrant.tryLock()).isTrue();
    reentrant.lockInterruptibly();
    assertThat(reentrant.tryLock(1, MINUTES)).isTrue();
    for (int i = 0; i < 3; i++) {
      reentrant.unlock();
      assertThat(reentrant.isHeldByCurrentThread()).isTrue();
      assertThat(backend.machine.released).isEmpty();
    }
    reentrant.unlock();
    assertThat(reentrant.isHeldByCurrentThread()).isFalse();
    assertThat(client.lock("orders").tryAcquire()).isPresent();
    assertThat(backend.machine.granted).hasSize(2);
  }

  @Test
  void aThreadDoesNotWaitForItself() throws InterruptedException {
    lock.lock();
    assertThatThrownBy(lock::lock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .isNotInstanceOf(LockLostException.class);
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(1, MINUTES)).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  void onlyTheThreadThatLockedMayUnlock() throws Exception {
    lock.lock();
    Throwable failure =
        InThread.start(
                () -> {
                  lock.unlock();
                  return true;
                })
            .failure();
    assertThat(failure)
        .isInstanceOf(IllegalMonitorStateException.class)
        .isNotInstanceOf(LockLostException.class);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::currentLease);
  }

  @Test
  void unlockAfterALossSaysSoOnceForEachEntry() throws InterruptedException {
    DistributedLock brief = client.lock("orders", REENTRANT);
    brief.lock();
    brief.lock();
    backend.machine.toLose.add("orders");
    awaitLossOf(brief.currentLease());
    assertThat(brief.isHeldByCurrentThread()).isFalse();
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::lock);
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::tryLock);
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::unlock);
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::unlock);
    assertThatThrownBy(brief::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .isNotInstanceOf(LockLostException.class);
    brief.lock();
    assertThat(backend.machine.granted).hasSize(2);
  }

  @Test
  void aLossSaysSoAlsoWhereTheLockIsNotReentrant() throws InterruptedException {
    DistributedLock brief = client.lock("orders", FakeBackend.SHORT);
    brief.lock();
    awaitLossOf(brief.currentLease());
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::lock);
    assertThatExceptionOfType(LockLostException.class).isThrownBy(brief::unlock);
  }

  private static void awaitLossOf(Lease lease) throws InterruptedException {
    CountDownLatch lost = new CountDownLatch(1);
    lease.onLost(lost::countDown);
    lost.await();
  }

  @Test
  void tryLockDoesNotWaitForAHolder() throws Exception {
    lock.lock();
    assertThat(InThread.start(lock::tryLock).result()).isFalse();
    lock.unlock();
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
  }

  @Test
  void tryLockIsFalseWhenTooFewServersAnswer() {
    backend.machine.cutOff = true;
    assertThat(lock.tryLock()).isFalse();
  }

  @Test
  void tryLockGivesUpWhenItsTimeIsOver() throws Exception {
    lock.lock();
    assertThat(InThread.start(() -> lock.tryLock(1, MILLISECONDS)).result()).isFalse();
    assertThat(backend.machine.waiting.get()).isZero();
  }

  @Test
  void tryLockGivesUpThoughItGetsNoAnswerAtAll() throws InterruptedException {
    backend.machine.silent = true;
    assertThat(lock.tryLock(1, MILLISECONDS)).isFalse();
    Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
  }

  @Test
  void lockGivesUpWhenItsOptionsSaySo() throws Exception {
    lock.lock();
    DistributedLock impatient =
        client.lock("orders", FakeBackend.LONG.withMaxWait(Duration.ofMillis(1)));
    assertThatExceptionOfType(NotAcquiredException.class).isThrownBy(impatient::lock);
    assertThatExceptionOfType(NotAcquiredException.class).isThrownBy(impatient::acquire);
  }

  @Test
  void anInterruptWithdrawsTheRequest() throws Exception {
    lock.lock();
    InThread<Boolean> waiter =
        InThread.start(
            () -> {
              lock.lockInterruptibly();
              return true;
            });
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    waiter.interrupt();
    assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
    Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
    lock.unlock();
    assertThat(lock.tryAcquire()).isPresent();
  }

  @Test
  void whoIsInterruptedBeforeAsksForNothing() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> lock.tryLock(1, MINUTES));
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::acquire);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(backend.machine.granted).isEmpty();
  }

  @Test
  void lockWaitsOnThroughAnInterruptAndLeavesItForLater() throws Exception {
    lock.lock();
    InThread<Boolean> waiter =
        InThread.start(
            () -> {
              lock.lock();
              lock.unlock();
              return Thread.interrupted();
            });
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    waiter.interrupt();
    lock.unlock();
    assertThat(waiter.result()).isTrue();
    assertThat(backend.machine.withdrawn.get()).isZero();
  }

  @Test
  void closingTheThreadsLeaseUnlocks() throws InterruptedException {
    lock.lock();
    long token = lock.currentLease().fencingToken();
    lock.currentLease().close();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .isNotInstanceOf(LockLostException.class);
    lock.lock();
    lock.currentLease().close();
    lock.lock();
    assertThat(lock.currentLease().fencingToken()).isGreaterThan(token);
    assertThat(backend.machine.released).hasSize(2);
  }

  @Test
  void hasNoConditions() {
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
  }
}
