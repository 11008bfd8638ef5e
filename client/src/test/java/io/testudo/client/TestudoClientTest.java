package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.cluster.ClusterSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application is told that cannot connect. */
class TestudoClientTest {
  @TempDir private Path temporary;

  @Test
  void namesTheFileThatIsMissing() {
    Path missing = temporary.resolve("client.conf");
    assertThatThrownBy(() -> TestudoClient.connect(missing))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void namesTheClusterFileThatIsMissing() throws IOException {
    Path file = write("client.conf", "principal = alice\n");
    assertThatThrownBy(() -> TestudoClient.connect(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(temporary.resolve("cluster.txt").toString());
  }

  @Test
  void namesTheSettingThatIsMissing() {
    assertThatThrownBy(() -> TestudoClient.builder().cluster("prod", 0, "127.0.0.1:7001").connect())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("TestudoClient.builder(): principal is missing; add it.");
  }

  @Test
  void namesTheKeysThatAreMissing() {
    Path keys = temporary.resolve("client.keys");
    TestudoClientBuilder builder =
        TestudoClient.builder().cluster("prod", 0, "127.0.0.1:7001").principal("alice").keys(keys);
    assertThatThrownBy(builder::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(keys.toString());
  }

  @Test
  void refusesServersThatCannotBe() {
    TestudoClientBuilder tooFew =
        TestudoClient.builder().cluster("prod", 1, "127.0.0.1:7001").principal("alice");
    assertThatThrownBy(tooFew::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("add servers");
    TestudoClientBuilder noPort =
        TestudoClient.builder().cluster("prod", 0, "localhost").principal("alice");
    assertThatThrownBy(noPort::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the server 'localhost' cannot be used; write it as HOST:PORT");
  }

  @Test
  void refusesServersFromTwoPlacesOrFromNone() {
    TestudoClientBuilder both =
        TestudoClient.builder()
            .cluster("prod", 0, "127.0.0.1:7001")
            .clusterFile(temporary.resolve("cluster.txt"))
            .principal("alice");
    assertThatThrownBy(both::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("cluster-file has servers, and 'cluster' names some, too");
    assertThatThrownBy(() -> TestudoClient.builder().cluster("prod", 0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("name them");
  }

  @Test
  void refusesATimeoutThatObjectsWouldRefuseLater() {
    TestudoClientBuilder endless =
        TestudoClient.builder()
            .cluster("prod", 0, "127.0.0.1:7001")
            .principal("alice")
            .timeout(Duration.ofSeconds(Long.MAX_VALUE));
    assertThatThrownBy(endless::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("timeout must be positive and at most a year");
  }

  @Test
  void namesWhereABackendIsThatDoesNotExist() {
    TestudoClientBuilder mistyped =
        TestudoClient.builder()
            .cluster("prod", 0, "127.0.0.1:7001")
            .principal("alice")
            .backend("magic");
    assertThatThrownBy(mistyped::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("TestudoClient.builder(): There is no lock backend 'magic'");
  }

  @Test
  void keepsOpenClustersOnThisMachine() throws IOException {
    Path cluster =
        write(
            "cluster.txt",
            """
            testudo-cluster 1
            name prod
            security open
            byzantine 0
            server s0 192.0.2.1 7000
            """);
    TestudoClientBuilder builder =
        TestudoClient.builder().clusterFile(cluster).principal("a").set("object.mode", "plain");
    assertThatThrownBy(builder::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Open mode proves nobody's identity");
  }

  @Test
  void countsWhatIsSetMoreThanTheFileAndReadsTheRestThere() throws IOException {
    Path file = write("client.conf", "principal = alice\ncluster-file = other.txt\n");
    assertThatThrownBy(() -> TestudoClient.builder(file).connect())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(temporary.resolve("other.txt").toString());
    Path elsewhere = temporary.resolve("elsewhere").resolve("cluster.txt");
    assertThatThrownBy(() -> TestudoClient.builder(file).clusterFile(elsewhere).connect())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(elsewhere.toString());
    TestudoClientBuilder mistyped = TestudoClient.builder(file).set("lock.bakend", "sigma");
    Path unused =
        write(
            "other.txt",
            """
            testudo-cluster 1
            name prod
            security hmac
            byzantine 0
            server s0 127.0.0.1 7000
            """);
    assertThatThrownBy(mistyped::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("lock.bakend is no setting");
  }

  @Test
  void readsItsKeysOnce() throws IOException {
    Path keys = temporary.resolve("client.keys");
    try (ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom())) {
      secrets.clientKeyring("prod", "alice", 1, Set.of("")).write(keys);
    }
    TestudoClientBuilder builder =
        TestudoClient.builder().cluster("prod", 0, "127.0.0.1:1").principal("alice").keys(keys);
    try (TestudoClient client = builder.connect()) {
      Files.delete(keys);
      assertThat(client.lock("orders")).isNotNull();
      assertThat(client.counter("orders")).isNotNull();
    }
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(temporary.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
