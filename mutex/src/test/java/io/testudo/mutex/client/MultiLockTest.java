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
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.netty.NettyClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
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

  private static final LockOptions QUORUM =
      FakeBackend.LONG.withServers(LockOptions.Servers.QUORUM);

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
      assertThat(backend.machine.granted).containsExactly("a", "b", "c");
      assertThat(leases.lockNames()).containsExactly("a", "b", "c");
      assertThat(leases.isHeld()).isTrue();
      assertThat(leases.remaining()).isPositive();
      assertThat(leases.lease("b").fencingToken()).isEqualTo(2);
      assertThatIllegalArgumentException().isThrownBy(() -> leases.lease("d"));
    }
    Conditions.await("all are given back", () -> backend.machine.released.size() == 3);
    assertThat(backend.machine.released).containsExactly(3L, 2L, 1L);
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
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    taken.close();
    assertThat(waiter.result().isHeld()).isTrue();
    Acquire forFirst = backend.machine.asked.get(1);
    Acquire forSecond = backend.machine.asked.get(2);
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
      Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
      waiter.interrupt();
      assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
      Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
      assertFree("a", "b");
      assertThat(taken.isHeld()).isTrue();
    }
  }

  @Test
  void aCancelledFutureGivesAllBack() throws InterruptedException {
    try (Lease taken = client.lock("c").acquire()) {
      CompletableFuture<MultiLease> future = all.acquireAsync();
      Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
      future.cancel(false);
      Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
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
    Conditions.await("it waits for b", () -> backend.machine.waiting.get() == 1);
    backend.machine.toLose.add("a");
    try (Lease other = client.lock("a").acquire()) {
      taken.close(); // "a" was lost before: it is held by another now.
      Conditions.await("it waits for a", () -> backend.machine.waiting.get() == 1);
      assertFree("b");
      assertThat(other.isHeld()).isTrue();
    }
    assertThat(waiter.result().lockNames()).containsExactly("a", "b");
  }

  @Test
  void goesOnWhileTheClientOpensAnotherBackend() throws Exception {
    Lease taken = client.lock("a").acquire();
    InThread<MultiLease> waiter = InThread.start(all::acquire);
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    backend.whenQuorumsAreOpened =
        () -> {
          taken.close();
          Conditions.await("all are granted", () -> backend.machine.granted.contains("c"));
        };
    try (Lease other = client.lock("d", QUORUM).acquire()) {
      assertThat(other.isHeld()).isTrue();
    }
    assertThat(waiter.result().isHeld()).isTrue();
  }

  @Test
  void endsWhenTheClientIsClosedWhileItGoesOn() throws Exception {
    CountDownLatch closing = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    LockClient direct =
        LockClient.on(connections, 4, 1).backend(new FakeBackend()).executor(Runnable::run).build();
    // Whichever machine is closed first: while it is, the other one grants the next of its locks.
    List<InThread<MultiLease>> waiters = new ArrayList<>();
    List<Lease> taken = new ArrayList<>();
    for (LockOptions options : List.of(FakeBackend.LONG, QUORUM)) {
      taken.add(direct.lock("a", options).acquire());
      MultiLock both = direct.multiLock(List.of("a", "b"), options);
      waiters.add(InThread.start(both::acquire));
      Lease held = direct.lock("z", options).acquire();
      held.onLost(
          () -> {
            closing.countDown();
            Conditions.await("the other machine went on", () -> goOn.getCount() == 0);
          });
    }
    InThread<Boolean> closer =
        InThread.start(
            () -> {
              direct.close();
              return true;
            });
    Conditions.await("it is being closed", () -> closing.getCount() == 1);
    taken.forEach(Lease::close);
    InThread<MultiLease> late =
        InThread.start(() -> direct.multiLock(List.of("c", "d"), FakeBackend.LONG).acquire());
    assertThat(late.failure()).isInstanceOf(ClosedException.class);
    goOn.countDown();
    assertThat(closer.result()).isTrue();
    for (InThread<MultiLease> waiter : waiters) {
      assertHoldsNothing(waiter);
    }
  }

  /** It had the locks before its machine was closed, and lost them; or it never had them. */
  private static void assertHoldsNothing(InThread<MultiLease> waiter) throws Exception {
    try {
      assertThat(waiter.result().isHeld()).isFalse();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(ClosedException.class);
    }
  }

  @Test
  void failsInAllItsFormsOnceTheClientIsClosed() {
    client.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(all::acquire);
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> all.tryAcquire(Duration.ZERO));
    assertThat(all.acquireAsync())
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class);
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> client.multiLock(List.of("a")));
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
      own.machine.toLose.addAll(List.of("a", "b"));
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
