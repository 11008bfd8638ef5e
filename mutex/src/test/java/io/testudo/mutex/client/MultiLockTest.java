package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.quorum.netty.NettyClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks at once: all or none. */
@Timeout(120)
class MultiLockTest {
  private final FakeBackend backend = new FakeBackend();
  @AutoClose private final NettyClient connections = FakeBackend.connections();

  @AutoClose
  private final LockClient client =
      LockClient.on(connections, 4, 1).backend(backend).options(FakeBackend.LONG).build();

  private final MultiLock all = client.multiLock(List.of("c", "a", "b", "a"));

  private void assertFree(String... names) throws InterruptedException {
    for (String name : names) {
      try (Lease lease = client.lock(name).tryAcquire().orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  @Test
  void acquiresThemInTheOrderOfTheirNamesEachOnce() throws InterruptedException {
    try (MultiLease leases = all.acquire()) {
      assertThat(backend.half.granted).containsExactly("a", "b", "c");
      assertThat(leases.lockNames()).containsExactly("a", "b", "c");
      assertThat(leases.isHeld()).isTrue();
      assertThat(leases.remaining()).isPositive();
      assertThat(leases.lease("b").fencingToken()).isEqualTo(2);
      assertThatIllegalArgumentException().isThrownBy(() -> leases.lease("d"));
    }
    Conditions.await("all are given back", () -> backend.half.released.size() == 3);
    assertThat(backend.half.released).containsExactly(3L, 2L, 1L);
  }

  @Test
  void holdsNoneIfOneCannotBeHad() throws InterruptedException {
    try (Lease taken = client.lock("c").acquire()) {
      assertThat(all.tryAcquire(Duration.ZERO)).isEmpty();
      assertThat(all.tryAcquire(Duration.ofMillis(1))).isEmpty();
      assertFree("a", "b");
      assertThat(taken.isHeld()).isTrue();
    }
    assertThat(all.tryAcquire(Duration.ZERO)).isPresent();
  }

  @Test
  void oneLimitHoldsForTheWholeWait() throws Exception {
    Lease taken = client.lock("a").acquire();
    LockOptions limited = FakeBackend.LONG.withMaxWait(Duration.ofMinutes(1));
    InThread<MultiLease> waiter =
        InThread.start(() -> client.multiLock(List.of("a", "c"), limited).acquire());
    Conditions.await("it waits", () -> backend.half.waiting.get() == 1);
    taken.close();
    assertThat(waiter.result().isHeld()).isTrue();
    Acquire forFirst = backend.half.asked.get(1);
    Acquire forSecond = backend.half.asked.get(2);
    assertThat(forFirst.lock() + forSecond.lock()).isEqualTo("ac");
    assertThat(forSecond.waitNanos()).isLessThan(forFirst.waitNanos());
  }

  @Test
  void givesAllBackWhenTheTimeIsOver() throws InterruptedException {
    try (Lease taken = client.lock("b").acquire()) {
      MultiLock impatient =
          client.multiLock(List.of("a", "b"), FakeBackend.LONG.withMaxWait(Duration.ofMillis(20)));
      assertThatExceptionOfType(NotAcquiredException.class).isThrownBy(impatient::acquire);
      assertFree("a");
      assertThat(taken.isHeld()).isTrue();
    }
  }

  @Test
  void anInterruptGivesAllBack() throws Exception {
    try (Lease taken = client.lock("c").acquire()) {
      InThread<MultiLease> waiter = InThread.start(all::acquire);
      Conditions.await("it waits", () -> backend.half.waiting.get() == 1);
      waiter.interrupt();
      assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
      Conditions.await("it is withdrawn", () -> backend.half.withdrawn.get() == 1);
      assertFree("a", "b");
      assertThat(taken.isHeld()).isTrue();
    }
  }

  @Test
  void aCancelledFutureGivesAllBack() throws InterruptedException {
    try (Lease taken = client.lock("c").acquire()) {
      CompletableFuture<MultiLease> future = all.acquireAsync();
      Conditions.await("it waits", () -> backend.half.waiting.get() == 1);
      future.cancel(false);
      Conditions.await("it is withdrawn", () -> backend.half.withdrawn.get() == 1);
      assertFree("a", "b");
      assertThat(taken.isHeld()).isTrue();
    }
    assertThat(all.acquireAsync()).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void beginsAgainIfOneIsLostWhileAnotherIsWaitedFor() throws Exception {
    Lease taken = client.lock("b").acquire();
    MultiLock both = client.multiLock(List.of("a", "b"));
    InThread<MultiLease> waiter = InThread.start(both::acquire);
    Conditions.await("it waits for b", () -> backend.half.waiting.get() == 1);
    backend.half.toLose.add("a");
    try (Lease other = client.lock("a").acquire()) {
      taken.close(); // "a" was lost before: it is held by another now.
      Conditions.await("it waits for a", () -> backend.half.waiting.get() == 1);
      assertFree("b");
      assertThat(other.isHeld()).isTrue();
    }
    assertThat(waiter.result().lockNames()).containsExactly("a", "b");
  }

  @Test
  void tellsOnceThatItLostTheFirst() throws InterruptedException {
    AtomicInteger told = new AtomicInteger();
    FakeBackend own = new FakeBackend();
    try (LockClient onLoop =
        LockClient.on(connections, 4, 1).backend(own).executor(Runnable::run).build()) {
      MultiLease leases = onLoop.multiLock(List.of("a", "b"), FakeBackend.LONG).acquire();
      leases.onLost(told::incrementAndGet);
      CountDownLatch bothLost = new CountDownLatch(2);
      leases.lease("a").onLost(bothLost::countDown);
      leases.lease("b").onLost(bothLost::countDown);
      own.half.toLose.addAll(List.of("a", "b"));
      bothLost.await();
      assertThat(leases.isHeld()).isFalse();
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void isOverAtLeastOneName() {
    assertThatIllegalArgumentException().isThrownBy(() -> client.multiLock(List.of()));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> client.multiLock(List.of("a", "")));
  }
}
