package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Suspicion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client as a whole. */
@Timeout(120)
class LockClientTest {
  private final FakeBackend backend = new FakeBackend();
  @AutoClose private final NettyClient connections = FakeBackend.connections();

  @AutoClose
  private final LockClient client =
      LockClient.on(connections, 4, 1).backend(backend).options(FakeBackend.LONG).build();

  @Test
  void closingGivesLeasesBackAndTellsTheirHolders() throws InterruptedException {
    Lease lease = client.lock("orders").acquire();
    CountDownLatch lost = new CountDownLatch(1);
    lease.onLost(lost::countDown);
    client.close();
    lost.await();
    assertThat(lease.isHeld()).isFalse();
    assertThat(backend.machine.released).containsExactly(lease.fencingToken());
  }

  @Test
  void closingWithdrawsRequestsAndFailsThem() throws Exception {
    DistributedLock lock = client.lock("orders");
    Lease held = lock.acquire();
    InThread<Lease> blocked = InThread.start(lock::acquire);
    CompletableFuture<Lease> future = lock.acquireAsync();
    // The protocol may have heard of a request that its thread cannot withdraw yet.
    Conditions.await("both wait", () -> backend.machine.waiting.get() == 2 && blocked.isParked());
    client.close();
    assertThat(blocked.failure()).isInstanceOf(ClosedException.class);
    assertThat(future)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class);
    assertThat(backend.machine.withdrawn.get()).isEqualTo(2);
    assertThat(backend.machine.granted).hasSize(1);
    assertThat(held.isHeld()).isFalse();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(lock::acquire);
  }

  @Test
  void failsInAllItsFormsOnceItIsClosed() {
    DistributedLock lock = client.lock("orders");
    client.close();
    ThrowingCallable[] forms = {
      lock::acquire,
      () -> lock.acquire(FakeBackend.SHORT),
      lock::tryAcquire,
      () -> lock.tryAcquire(Duration.ofMinutes(1)),
      lock::lock,
      lock::lockInterruptibly,
      lock::tryLock,
      () -> lock.tryLock(1, TimeUnit.MINUTES),
      () -> client.lock("orders")
    };
    for (ThrowingCallable form : forms) {
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(form)
          .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN));
    }
    for (CompletableFuture<Lease> future :
        List.of(lock.acquireAsync(), lock.acquireAsync(FakeBackend.SHORT))) {
      assertThat(future)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableThat()
          .withCauseInstanceOf(ClosedException.class);
    }
  }

  @Test
  void callbacksMayWaitForEachOtherHoweverManyTheyAre() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      DistributedLock inner = client.lock("inner-" + number);
      all.add(
          client
              .lock("outer-" + number)
              .acquireAsync()
              .thenAccept(lease -> inner.acquireAsync().join().close()));
    }
    assertThat(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
        .succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void connectionsThatEndAreALoss() throws InterruptedException {
    Lease lease = client.lock("orders").acquire();
    CountDownLatch lost = new CountDownLatch(1);
    lease.onLost(lost::countDown);
    connections.close();
    lost.await();
    assertThat(lease.isHeld()).isFalse();
    lease.close();
  }

  @Test
  void theCancelledFutureOfAWaiterIsWithdrawn() throws InterruptedException {
    DistributedLock lock = client.lock("orders");
    Lease held = lock.acquire();
    CompletableFuture<Lease> future = lock.acquireAsync();
    Conditions.await("it waits", () -> backend.machine.waiting.get() == 1);
    future.cancel(false);
    Conditions.await("it is withdrawn", () -> backend.machine.withdrawn.get() == 1);
    held.close();
    assertThat(lock.tryAcquire()).isPresent();
  }

  @Test
  void futuresFailAsTheirOptionsSay() throws InterruptedException {
    DistributedLock lock = client.lock("orders");
    Lease unused = lock.acquire();
    assertThat(lock.acquireAsync(FakeBackend.LONG.withMaxWait(Duration.ZERO)))
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(NotAcquiredException.class);
  }

  @Test
  void refusesWhatNoServerWouldGrant() {
    LockOptions tooLong = LockOptions.standard().withHold(Duration.ofHours(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.lock("orders", tooLong))
        .withMessageContaining("3600 s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.lock("orders", LockOptions.standard().withBackend("sigma")))
        .withMessageContaining("[fake]");
    assertThatIllegalArgumentException().isThrownBy(() -> client.lock(""));
  }

  @Test
  void refusesQuorumsWhereThereAreTooFewServers() {
    try (LockClient real =
        LockClient.on(connections, 4, 1)
            .backend(new BackoffProtocol(LockTiming.standard()))
            .build()) {
      LockOptions quorums = LockOptions.standard().withServers(LockOptions.Servers.QUORUM);
      assertThatExceptionOfType(QuorumConfigurationException.class)
          .isThrownBy(() -> real.lock("orders", quorums));
    }
  }

  @Test
  void defaultsFitIntoWhatServersGrant() {
    try (LockClient real =
        LockClient.on(connections, 4, 1)
            .backend(new BackoffProtocol(LockTiming.standard().withMaxHold(Duration.ofSeconds(2))))
            .build()) {
      assertThat(real.defaultOptions().hold()).isEqualTo(Duration.ofSeconds(2));
      assertThat(real.lock("orders").options()).isEqualTo(real.defaultOptions());
      LockOptions patient = LockOptions.standard().withMaxWait(Duration.ofSeconds(1));
      assertThat(real.lock("orders", patient).options().hold()).isEqualTo(Duration.ofSeconds(2));
      assertThat(real.multiLock(List.of("a", "b"), patient).options().hold())
          .isEqualTo(Duration.ofSeconds(2));
      assertThatIllegalArgumentException()
          .as("what was chosen is not changed in silence")
          .isThrownBy(() -> real.lock("orders", patient.withHold(Duration.ofSeconds(10))))
          .withMessageContaining("A hold of 10 s is beyond the 2 s that the servers grant");
    }
  }

  @Test
  void keepsDisagreementApartFromWhatNoCorrectServerSays() {
    Suspicions suspicions = new Suspicions(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    suspicions.count(new Outvoted(new ServerId(2), "orders"));
    suspicions.count(new Suspicion(new ServerId(2), "forged"));
    suspicions.count(new Outvoted(new ServerId(0), "orders"));
    suspicions.count(new Suspicion(new ServerId(2), "forged again"));
    assertThat(suspicions.evidence())
        .containsExactly(
            Map.entry(new ServerId(2), new Suspicions.Evidence(2, "forged again", Instant.EPOCH)));
    assertThat(suspicions.disagreements())
        .containsExactly(Map.entry(new ServerId(0), 1L), Map.entry(new ServerId(2), 1L));
    assertThat(client.suspicions()).isEmpty();
  }
}
