package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.status.ClusterStatus;
import io.testudo.client.status.ServerFault;
import io.testudo.mutex.Lease;
import io.testudo.mutex.MultiLease;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.ConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in this process, as an application has it in its tests. */
@Timeout(120)
class TestudoClusterTest {
  @TempDir private Path temporary;

  @Test
  void servesLocksAndObjectsWhileOneServerIsDown() throws Exception {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      cluster.stop(3);
      try (Lease lease = client.lock("orders").acquire()) {
        assertThat(client.counter("orders").increment().join()).isEqualTo(1);
        assertThat(lease.isHeld()).isTrue();
      }
      try (MultiLease both = client.multiLock(List.of("orders", "stock")).acquire()) {
        assertThat(both.isHeld()).isTrue();
      }
      cluster.start(3);
      assertThat(cluster.client("other").counter("orders").increment().join()).isEqualTo(2);
    }
  }

  @Test
  void tellsHowItsServersAre() throws InterruptedException {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      ClusterStatus whole = client.status();
      assertThat(whole.servers()).allMatch(server -> server.faults().isEmpty());
      assertThat(whole.servers()).allMatch(server -> server.roundTrip().isPresent());
      assertThat(whole.isHealthy()).isTrue();
      cluster.stop(1);
      cluster.stop(2);
      ClusterStatus broken = client.status();
      assertThat(broken.servers().get(1).faults()).contains(ServerFault.SILENT);
      assertThat(broken.failing()).isEqualTo(2);
      assertThat(broken.isHealthy()).isFalse();
    }
  }

  @Test
  void hasTheBackendThatItsSettingsName() throws InterruptedException {
    Map<String, String> settings = Map.of("lock.backend", "sigma");
    try (TestudoCluster cluster = TestudoCluster.start(6, 1, settings);
        Lease lease = cluster.client().lock("orders").acquire()) {
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void goesOnWhereItEndedInADirectory() {
    try (TestudoCluster first = TestudoCluster.startIn(temporary, 4, 1, Map.of())) {
      assertThat(first.client().counter("visits").increment().join()).isEqualTo(1);
    }
    try (TestudoCluster second = TestudoCluster.startIn(temporary, 4, 1, Map.of())) {
      assertThat(second.client().counter("visits").increment().join()).isEqualTo(2);
    }
  }

  @Test
  void letsEachPrincipalSignForItselfIfItsSettingsSaySo() throws InterruptedException {
    Map<String, String> settings = Map.of("seals", "ed25519");
    try (TestudoCluster first = TestudoCluster.startIn(temporary, 4, 1, settings)) {
      TestudoClient alice = first.client("alice");
      assertThat(alice.counter("visits").increment().join()).isEqualTo(1);
      // One who comes later is known to those who are there.
      assertThat(first.client("bob").counter("visits").increment().join()).isEqualTo(2);
      assertThat(alice.counter("visits").increment().join()).isEqualTo(3);
      try (Lease lease = alice.lock("visits").acquire()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
    try (TestudoCluster second = TestudoCluster.startIn(temporary, 4, 1, settings)) {
      assertThat(second.client("alice").counter("visits").increment().join()).isEqualTo(4);
    }
  }

  @Test
  void refusesWhatItCannotBe() {
    assertThatThrownBy(() -> TestudoCluster.start(3, 1))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("TestudoCluster.start()")
        .hasMessageContaining("add servers");
    assertThatThrownBy(() -> TestudoCluster.start(4, 1, Map.of("lock.hold", "1s")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "TestudoCluster.start(): lock.hold is no setting; correct its name or remove it.");
    assertThatThrownBy(() -> TestudoCluster.start(4, 1, Map.of("seals", "rsa")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("TestudoCluster.start(): seals is 'rsa'; choose hmac or ed25519.");
  }

  @Test
  void endsItsClientsOnce() throws InterruptedException {
    TestudoClient client;
    try (TestudoCluster cluster = TestudoCluster.start(1, 0)) {
      client = cluster.client();
      client.lock("orders").acquire().close();
      client.close();
    }
    client.close();
    assertThatThrownBy(() -> client.lock("orders").acquire()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> client.counter("orders")).isInstanceOf(ClosedException.class);
    assertThatThrownBy(client::status).isInstanceOf(ClosedException.class);
  }

  @Test
  void saysSoWhenItIsClosed() {
    TestudoCluster cluster = TestudoCluster.start(1, 0);
    cluster.close();
    cluster.close();
    assertThatThrownBy(() -> cluster.stop(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the cluster is closed");
    assertThatThrownBy(() -> cluster.start(0)).hasMessage("the cluster is closed");
    assertThatThrownBy(cluster::client).hasMessage("the cluster is closed");
  }
}
