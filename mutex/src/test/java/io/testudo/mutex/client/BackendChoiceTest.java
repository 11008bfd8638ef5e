package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.MultiLease;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.BackendTable.Binding;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.QuorumConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two lock protocols on the same servers, over real sockets, each for its own names. */
@Timeout(120)
class BackendChoiceTest {
  private static final LockTiming TIMING = BackoffAcceptanceTest.TIMING;
  private static final Duration GUARD = Duration.ofSeconds(60);
  private static final BackendTable TABLE =
      BackendTable.all(BackoffProtocol.NAME)
          .with("queue/", SigmaProtocol.NAME)
          .with("moving/", BackendTable.CLOSED);

  @AutoClose private final LockCluster cluster = cluster(TABLE);

  private static LockCluster cluster(BackendTable table) {
    return LockCluster.start(
        4, 1, List.of(new BackoffProtocol(TIMING), new SigmaProtocol(TIMING)), table);
  }

  private LockClient withOnly(LockProtocol backend) {
    return LockClient.on(cluster.embedded().client("stray"), 4, 1)
        .backend(backend)
        .closesConnections()
        .build();
  }

  private static Lease acquire(LockClient client, String name) throws InterruptedException {
    return client.lock(name).tryAcquire(GUARD).orElseThrow();
  }

  @Test
  void eachNameIsLockedByItsOwnProtocolAndNoOther() throws InterruptedException {
    try (LockClient client = cluster.client("alice");
        Lease queued = acquire(client, "queue/1");
        Lease backedOff = acquire(client, "orders")) {
      assertThat(queued.isHeld()).isTrue();
      assertThat(backedOff.isHeld()).isTrue();
    }
    try (LockClient stray = withOnly(new BackoffProtocol(TIMING))) {
      assertThatExceptionOfType(LockRefusedException.class)
          .isThrownBy(() -> acquire(stray, "queue/1"))
          .withMessageContaining("another backend");
    }
    try (LockClient stray = withOnly(new SigmaProtocol(TIMING))) {
      assertThatExceptionOfType(LockRefusedException.class)
          .isThrownBy(() -> acquire(stray, "orders"))
          .withMessageContaining("another backend");
      assertThatExceptionOfType(LockRefusedException.class)
          .isThrownBy(() -> acquire(stray, "moving/1"));
    }
  }

  @Test
  void locksOfTwoProtocolsAreAcquiredTogether() throws InterruptedException {
    try (LockClient client = cluster.client("alice");
        MultiLease leases = client.multiLock(List.of("queue/1", "orders")).acquire()) {
      assertThat(leases.isHeld()).isTrue();
    }
  }

  @Test
  void aClientSaysAtOnceWhatCannotBe() {
    try (LockClient client = cluster.client("alice")) {
      LockOptions wrong = client.defaultOptions().withBackend(BackoffProtocol.NAME);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.lock("queue/1", wrong))
          .withMessageContaining("bound to the backend 'sigma'");
      assertThatExceptionOfType(LockRefusedException.class)
          .isThrownBy(() -> client.lock("moving/1"))
          .withMessageContaining("closed");
      LockOptions quorum = client.defaultOptions().withServers(LockOptions.Servers.QUORUM);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.lock("queue/1", quorum))
          .withMessageContaining("Sigma asks all servers");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                LockClient.on(cluster.embedded().client("bob"), 4, 1)
                    .backend(new BackoffProtocol(TIMING))
                    .table(TABLE)
                    .build())
        .withMessageContaining("not 'sigma'");
  }

  /** docs/decisions/0008, both ways: closed in between, with a floor for the tokens. */
  @Test
  void tokensGrowWhenANameChangesItsProtocol() throws InterruptedException {
    long token;
    try (LockClient client = cluster.client("alice");
        Lease lease = acquire(client, "orders")) {
      token = lease.fencingToken();
    }
    for (String next : List.of(SigmaProtocol.NAME, BackoffProtocol.NAME, SigmaProtocol.NAME)) {
      long floor = BackendTable.fenceFloorAt(System.currentTimeMillis(), TIMING);
      BackendTable changed = TABLE.with("", new Binding(next, floor));
      try (LockCluster later = cluster(changed);
          LockClient client = later.client("alice");
          Lease lease = acquire(client, "orders")) {
        assertThat(lease.fencingToken()).as(next).isGreaterThan(token);
        token = lease.fencingToken();
      }
    }
  }

  @Test
  void grantsOfOnesOwnAreCheckedWhenTheClientIsMade() {
    LockProtocol two =
        new SigmaProtocol(
            TIMING, new SigmaProtocol(TIMING).tuning(), Optional.empty(), Optional.of(2));
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> withOnly(two))
        .withMessageContaining("needs a quorum of exactly 3");
    SigmaProtocol preset =
        new SigmaProtocol(
            TIMING, new SigmaProtocol(TIMING).tuning(), Optional.empty(), Optional.of(24));
    assertThat(preset.thresholds(32, 0, LockOptions.Servers.ALL).consents()).isEqualTo(24);
    assertThat(preset.thresholds(32, 0, LockOptions.Servers.ALL).faults()).isEqualTo(8);
    assertThat(new SigmaProtocol(TIMING).thresholds(32, 0, LockOptions.Servers.ALL).consents())
        .isEqualTo(22);
  }
}
