package io.testudo.mutex.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockListener;
import io.testudo.mutex.LockObserver;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases: their term on two clocks, renewal, loss, closing. */
@Timeout(120)
class HeldLeaseTest {
  private static final Moment START = new Moment(SECONDS.toNanos(-5), 1_000_000);

  private final FakeBackend backend = new FakeBackend();
  @AutoClose private final NettyClient connections = FakeBackend.connections();

  @AutoClose
  private final LockClient client =
      LockClient.on(connections, 4, 1).backend(backend).options(FakeBackend.LONG).build();

  private volatile Moment now = START;

  /** Its clock is that of the test. */
  private final class HandClocked implements LockBackend {
    @Override
    public String name() {
      return "by-hand";
    }

    @Override
    public Duration maxHold() {
      return Duration.ofDays(1);
    }

    @Override
    public Optional<String> whyUnfenced() {
      return Optional.empty();
    }

    @Override
    public LockOptions.Servers resolved(LockOptions.Servers wished) {
      return wished;
    }

    @Override
    public Moment now() {
      return now;
    }

    @Override
    public ClientMachine start(
        LockOptions.Servers asked, Consumer<Event> events, Runnable stopped) {
      return connections.start(new FakeMachine(), events, stopped);
    }

    @Override
    public void stop(ClientMachine machine) {
      machine.close();
    }
  }

  private HeldLease tenSecondsOn(Moment start) {
    LockMachine machine =
        new LockMachine(
            new HandClocked(),
            LockOptions.Servers.ALL,
            Callbacks.onOwnThreads("test"),
            event -> {},
            LockListener.NONE);
    long tenSeconds = SECONDS.toNanos(10);
    return new HeldLease(
        machine, new Held("orders", 7, new Term(start, tenSeconds)), tenSeconds, LockObserver.NONE);
  }

  private void pass(long monotonicSeconds, long wallSeconds) {
    now =
        new Moment(
            START.nanos() + SECONDS.toNanos(monotonicSeconds),
            START.wallMillis() + SECONDS.toMillis(wallSeconds));
  }

  @Test
  void isHeldUntilTheFasterClockHasPassedItsEnd() {
    HeldLease lease = tenSecondsOn(START);
    assertThat(lease.isHeld()).isTrue();
    pass(9, 9);
    assertThat(lease.isHeld()).isTrue();
    pass(10, 0);
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void isNotHeldAfterASuspendThatOnlyTheWallClockShows() {
    HeldLease lease = tenSecondsOn(START);
    pass(1, 10);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void neverGetsShorterWhateverTheOrderOfAnswers() {
    HeldLease lease = tenSecondsOn(START);
    lease.extend(new Term(START, SECONDS.toNanos(30)));
    lease.extend(new Term(START, SECONDS.toNanos(20)));
    pass(25, 25);
    assertThat(lease.isHeld()).isTrue();
    pass(30, 30);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void renewalLengthensTheTermAndKeepsTheToken() throws InterruptedException {
    Lease lease = client.lock("orders").acquire(FakeBackend.LONG.withHold(Duration.ofMinutes(1)));
    long token = lease.fencingToken();
    lease.renew(Duration.ofMinutes(30));
    assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(2));
    lease.renew();
    assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(2));
    lease.renewAsync(Duration.ofMinutes(50)).join();
    assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(35));
    assertThat(lease.fencingToken()).isEqualTo(token);
  }

  @Test
  void aRenewalThatFailsLeavesTheLeaseAsItWas() throws InterruptedException {
    Lease lease = client.lock("orders").acquire();
    backend.machine.cutOff = true;
    assertThatExceptionOfType(NoQuorumException.class).isThrownBy(lease::renew);
    assertThat(lease.renewAsync(Duration.ofMinutes(1)))
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(NoQuorumException.class);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aLeaseThatHasEndedIsNotRenewed() throws InterruptedException {
    Lease closed = client.lock("orders").acquire();
    closed.close();
    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(closed::renew);
    Lease lost = client.lock("orders").acquire(FakeBackend.SHORT);
    awaitLossOf(lost);
    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lost::renew);
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> lost.renewAsync(Duration.ofMinutes(1)).join())
        .withCauseInstanceOf(LeaseLostException.class);
  }

  private static void awaitLossOf(Lease lease) throws InterruptedException {
    CountDownLatch lost = new CountDownLatch(1);
    lease.onLost(lost::countDown);
    lost.await();
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void renewsByItselfUpToItsLimitAndIsLostThen() throws InterruptedException {
    LockOptions kept =
        LockOptions.standard()
            .withHold(Duration.ofMillis(20))
            .withAutoRenewal(Duration.ofMillis(100));
    Lease lease = client.lock("orders").acquire(kept);
    awaitLossOf(lease);
  }

  @Test
  void aListenerThatBlocksDoesNotStopTheOthers() throws Exception {
    CountDownLatch forEver = new CountDownLatch(1);
    Lease lease = client.lock("orders").acquire(FakeBackend.SHORT);
    CountDownLatch begun = new CountDownLatch(1);
    lease.onLost(
        () -> {
          begun.countDown();
          try {
            forEver.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    begun.await();
    assertThat(client.lock("others").tryAcquire()).isPresent();
    awaitLossOf(lease); // A second listener, told although the loss is over.
    forEver.countDown();
  }

  @Test
  void whoClosesALeaseIsNotToldOfALoss() throws InterruptedException {
    AtomicInteger told = new AtomicInteger();
    LockClient onLoop =
        LockClient.on(connections, 4, 1).backend(new FakeBackend()).executor(Runnable::run).build();
    Lease closed = onLoop.lock("orders").acquire(FakeBackend.LONG);
    closed.onLost(told::incrementAndGet);
    closed.close();
    closed.onLost(told::incrementAndGet);
    Lease open = onLoop.lock("orders").acquire(FakeBackend.LONG);
    onLoop.close(); // All that were open are lost.
    assertThat(told).hasValue(0);
    open.onLost(told::incrementAndGet);
    assertThat(told).hasValue(1);
  }

  @Test
  void closingTwiceReleasesOnce() throws InterruptedException {
    Lease lease = client.lock("orders").acquire();
    lease.close();
    lease.close();
    assertThat(lease.isHeld()).isFalse();
    try (Lease next = client.lock("orders").acquire()) {
      lease.close();
      assertThat(next.isHeld()).isTrue();
      assertThat(backend.machine.released).containsExactly(lease.fencingToken());
    }
  }

  @Test
  void anyThreadMayUseIt() throws Exception {
    Lease lease = client.lock("orders").acquire();
    Boolean done =
        InThread.start(
                () -> {
                  lease.renew();
                  boolean held = lease.isHeld();
                  lease.close();
                  return held;
                })
            .result();
    assertThat(done).isTrue();
    assertThat(client.lock("orders").tryAcquire()).isPresent();
  }

  @Test
  void futuresRunWhatIsChainedToThemOffTheLoop() {
    // On the loop, waiting for another lock would wait for itself.
    CompletableFuture<Long> both =
        client
            .lock("orders")
            .acquireAsync()
            .thenApply(
                first -> {
                  try (Lease second = client.lock("others").acquire()) {
                    return second.fencingToken() - first.fencingToken();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    assertThat(both).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(1L);
  }
}
