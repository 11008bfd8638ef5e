package io.testudo.bench.strawman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The strawman over real sockets does what the calls of a lock ask for, as long as few contend and
 * no server forgets.
 */
@Timeout(180)
class StrawmanAcceptanceTest {
  private static final Duration GUARD = Duration.ofSeconds(60);
  private static final Duration BRIEF = Duration.ofMillis(300);
  private static final RandomRetry SHORT =
      new RandomRetry(Duration.ofMillis(5).toNanos(), Duration.ofMillis(20).toNanos());
  private static final StrawmanProtocol STRAWMAN =
      new StrawmanProtocol(LockTiming.standard().withMaxHold(Duration.ofMillis(800)), SHORT);

  private static final int SERVERS = 4;

  private static EmbeddedCluster start() {
    return start(Gate.everybody());
  }

  private static EmbeddedCluster start(Gate gate) {
    return EmbeddedCluster.start(
        SERVERS,
        STRAWMAN.types(),
        id -> List.of(STRAWMAN.serverMachine(LockScope.everything(), Entropy.seeded(id.index()))),
        gate);
  }

  private static LockClient client(EmbeddedCluster cluster, String principal) {
    return LockClient.on(cluster.client(principal), SERVERS, 0)
        .backend(STRAWMAN)
        .closesConnections()
        .build();
  }

  private static Lease acquire(LockClient client) throws InterruptedException {
    return client.lock("orders").tryAcquire(GUARD).orElseThrow();
  }

  @Test
  void oneHoldsTheLockAtATimeAndTokensGrow() throws InterruptedException {
    try (EmbeddedCluster cluster = start();
        LockClient alice = client(cluster, "alice");
        LockClient bob = client(cluster, "bob")) {
      List<Long> tokens = new ArrayList<>();
      for (int round = 0; round < 10; round++) {
        try (Lease lease = acquire(alice)) {
          tokens.add(lease.fencingToken());
          assertThat(bob.lock("orders").tryAcquire()).isEmpty();
          assertThat(lease.isHeld()).isTrue();
        }
        try (Lease lease = acquire(bob)) {
          tokens.add(lease.fencingToken());
        }
      }
      assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void aWaiterGetsTheLockWhenItIsReleased() throws InterruptedException {
    try (EmbeddedCluster cluster = start();
        LockClient alice = client(cluster, "alice");
        LockClient bob = client(cluster, "bob")) {
      Lease held = acquire(alice);
      CompletableFuture<Lease> waits = bob.lock("orders").acquireAsync();
      assertThat(bob.lock("orders").tryAcquire(BRIEF)).isEmpty();
      assertThat(waits).isNotDone();
      held.close();
      try (Lease next = waits.join()) {
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
      }
    }
  }

  @Test
  void whoGaveUpOrWasCancelledNeverGetsTheLockLater() throws InterruptedException {
    try (EmbeddedCluster cluster = start();
        LockClient alice = client(cluster, "alice");
        LockClient bob = client(cluster, "bob")) {
      Lease held = acquire(alice);
      CompletableFuture<Lease> waits = bob.lock("orders").acquireAsync();
      assertThat(bob.lock("orders").tryAcquire(BRIEF)).isEmpty();
      assertThat(waits.cancel(false)).isTrue();
      held.close();
      try (Lease next = acquire(client(cluster, "carol"))) {
        assertThat(next.isHeld()).isTrue();
      }
    }
  }

  @Test
  void aLeaseThatCannotBeRenewedIsLostAndItsHolderIsTold() throws InterruptedException {
    try (EmbeddedCluster cluster = start();
        LockClient alice = client(cluster, "alice")) {
      CountDownLatch told = new CountDownLatch(1);
      Lease lease = acquire(alice);
      lease.onLost(told::countDown);
      for (int server = 0; server < SERVERS; server++) {
        cluster.stop(new ServerId(server));
      }
      told.await();
      assertThat(lease.isHeld()).isFalse();
    }
  }

  @Test
  void whoLacksTheRightHearsItAtOnce() throws InterruptedException {
    Rights rights = Rights.of(List.of(Grant.of("alice", Set.of(Right.LOCK), "shop/")), List.of());
    try (EmbeddedCluster cluster = start(Gate.of(() -> rights));
        LockClient alice = client(cluster, "alice")) {
      assertThatExceptionOfType(NotAllowedException.class)
          .isThrownBy(() -> alice.lock("bank/vault").acquire());
      try (Lease lease = alice.lock("shop/till").acquire()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }
}
