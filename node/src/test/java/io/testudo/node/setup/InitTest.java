package io.testudo.node.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.config.ClientConfig;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterFile;
import io.testudo.quorum.cluster.KeyPurpose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitTest {
  private static final String FOUR = "127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003,[::1]:7004";

  @TempDir Path temporary;
  private Path cluster;

  @BeforeEach
  void nameTheCluster() {
    cluster = temporary.resolve("prod");
  }

  private OneCommand init(String... more) {
    return OneCommand.run(
        Stream.concat(
                Stream.of("init", cluster.toString(), "--servers", FOUR, "-b", "1"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void makesWhatEachMemberNeeds() {
    OneCommand init = init("--clients", "alice,bob", "--max-hold", "2s", "--json");
    assertThat(init.err()).isEmpty();
    assertThat(init.code()).isEqualTo(ExitCode.OK);
    assertThat(init.out()).contains("\"cluster\":\"prod\"", "\"servers\":4", "s3/server.conf");
    ServerConfig server = ServerConfig.read(cluster.resolve("s3/server.conf"));
    assertThat(server.self()).isEqualTo(new ServerId(3));
    assertThat(server.listen().toString()).isEqualTo("[::1]:7004");
    assertThat(server.admin().orElseThrow().toString()).isEqualTo("127.0.0.1:8004");
    assertThat(server.common().lock().timing().maxHoldNanos()).isEqualTo(2_000_000_000L);
    assertThat(server.credentials().server(server.cluster(), server.self())).isNotNull();
    ClientConfig alice = ClientConfig.read(cluster.resolve("clients/alice/client.conf"));
    assertThat(alice.credentials().client(alice.cluster(), "alice")).isNotNull();
    assertThat(alice.common().print(alice.cluster()))
        .isEqualTo(server.common().print(server.cluster()));
    assertThat(alice.cluster().rights().principals()).containsExactly("alice");
    assertThat(server.cluster().rights().principals()).containsExactly("admin", "alice", "bob");
  }

  @Test
  void keepsSecretsFromOthers() throws IOException {
    assertThat(init().code()).isZero();
    for (String secret :
        List.of("secret/master.key", "s0/server.keys", "clients/client/client.keys")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(cluster.resolve(secret))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void certifiesMembersForTls() {
    assertThat(init("--security", "tls").code()).isZero();
    ServerConfig server = ServerConfig.read(cluster.resolve("s0/server.conf"));
    assertThat(server.credentials().server(server.cluster(), server.self())).isNotNull();
    ClientConfig client = ClientConfig.read(cluster.resolve("clients/client/client.conf"));
    assertThat(client.credentials().client(client.cluster(), "client")).isNotNull();
    assertThat(client.credentials().keyringOf(client.cluster(), "client")).isPresent();
  }

  @Test
  void neverOverwrites() throws IOException {
    assertThat(init().code()).isZero();
    String before = Files.readString(cluster.resolve("s0/server.keys"));
    OneCommand again = init();
    assertThat(again.code()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err())
        .isEqualTo(
            "testudo init: %s is not empty, and nothing is overwritten; name another directory.%n"
                .formatted(cluster));
    assertThat(Files.readString(cluster.resolve("s0/server.keys"))).isEqualTo(before);
  }

  @Test
  void refusesWhatCannotBeWithTheReasonAndLeavesNothing() throws IOException {
    assertRefused("b=1 in mode plain needs 7 servers, 4 are configured", "--object-mode", "plain");
    assertRefused("There is no lock backend 'magic'", "--backend", "magic");
    assertRefused("There is no lock backend 'strawman'", "--backend", "strawman");
    assertRefused("A cluster's name has", "--name", "two words");
    assertRefused("cannot name a directory", "--clients", "../evil");
    assertRefused("use hmac or tls", "--security", "open");
    OneCommand two =
        OneCommand.run("init", cluster.toString(), "--servers", "a:1,b:1,c:1", "--byzantine", "1");
    assertThat(two.err())
        .isEqualTo(
            "testudo init: b=1 in mode all-servers needs 4 servers, 3 are configured; name more"
                + " servers, or tolerate fewer faults.\n");
    OneCommand twice =
        OneCommand.run("init", cluster.toString(), "--servers", "a:1,b:1,c:1,a:1", "-b", "1");
    assertThat(twice.err()).contains("Two servers listen at a:1").hasLineCount(1);
    OneCommand noPort =
        OneCommand.run("init", cluster.toString(), "--servers", "a,b,c,d", "-b", "1");
    assertThat(noPort.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noPort.err()).contains("'a' is no address; write it as HOST:PORT");
    try (var left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }

  private void assertRefused(String reason, String... options) {
    OneCommand refused = init(options);
    assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains(reason).hasLineCount(1);
  }

  @Test
  void addsAPrincipalForEveryServer() throws IOException {
    assertThat(init().code()).isZero();
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "carol",
            "--dir",
            cluster.toString(),
            "--rights",
            "lock,read",
            "--prefix",
            "jobs/");
    assertThat(added.err()).isEmpty();
    assertThat(added.code()).isZero();
    ClientConfig carol = ClientConfig.read(cluster.resolve("clients/carol/client.conf"));
    assertThat(carol.credentials().client(carol.cluster(), "carol")).isNotNull();
    for (int server = 0; server < 4; server++) {
      var rights = ClusterFile.read(cluster.resolve("s" + server + "/cluster.txt")).rights();
      assertThat(rights.allows("carol", Right.LOCK, "jobs/nightly")).isTrue();
      assertThat(rights.allows("carol", Right.LOCK, "other")).isFalse();
      assertThat(rights.allows("client", Right.LOCK, "other")).isTrue();
    }
    OneCommand again =
        OneCommand.run("client", "add", "carol", "--dir", cluster.toString(), "--rights", "read");
    assertThat(again.code()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("knows carol already").hasLineCount(1);
  }

  @Test
  void givesOthersTheKeysToCheckWhatANewPrincipalSeals() throws IOException {
    assertThat(init().code()).isZero();
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "dave",
            "--dir",
            cluster.toString(),
            "--rights",
            "submit,order",
            "--prefix",
            "counters/",
            "--json");
    assertThat(added.out())
        .contains(
            "\"newKeys\":[\"%1$s/clients/admin\",\"%1$s/clients/client\"]".formatted(cluster));
    ClientKeyring client = ClientKeyring.read(cluster.resolve("clients/client/client.keys"));
    ClientKeyring dave = ClientKeyring.read(cluster.resolve("clients/dave/client.keys"));
    assertThat(client.groupKeys(KeyPurpose.ORDER)).containsOnlyKeys("", "counters/");
    assertThat(client.groupKeys(KeyPurpose.ORDER).get("counters/"))
        .isEqualTo(dave.groupKeys(KeyPurpose.ORDER).get("counters/"));
    assertThat(dave.groupKeys(KeyPurpose.LOCK)).isEmpty();
  }

  @Test
  void makesNewKeysForAllWhoShareThemWithAPrincipalThatIsRemoved() throws IOException {
    assertThat(init("--clients", "alice,bob").code()).isZero();
    OneCommand added =
        OneCommand.run(
            "client", "add", "carol", "--dir", cluster.toString(), "--rights", "submit,read");
    assertThat(added.code()).isZero();
    ClientKeyring before = ClientKeyring.read(cluster.resolve("clients/alice/client.keys"));
    OneCommand removed = OneCommand.run("client", "remove", "carol", "--dir", cluster.toString());
    assertThat(removed.err()).isEmpty();
    assertThat(removed.code()).isZero();
    assertThat(removed.out())
        .contains("carol is removed.", "at once on SIGHUP:", "s3/cluster.txt")
        .contains("who take them by themselves:", "clients/alice", "clients/bob");
    assertThat(cluster.resolve("clients/carol")).doesNotExist();
    var description = ClusterFile.read(cluster.resolve("s2/cluster.txt"));
    assertThat(description.rights().knows("carol")).isFalse();
    assertThat(description.epochs()).hasToString("submit 2 order 1 lock 1");
    ClientConfig config = ClientConfig.read(cluster.resolve("clients/alice/client.conf"));
    ClientKeyring after = config.credentials().keyringOf(config.cluster(), "alice").orElseThrow();
    assertThat(after.groupKeys(KeyPurpose.SUBMIT))
        .isNotEqualTo(before.groupKeys(KeyPurpose.SUBMIT));
    assertThat(after.groupKeys(KeyPurpose.ORDER)).isEqualTo(before.groupKeys(KeyPurpose.ORDER));
    assertThat(OneCommand.run("client", "remove", "carol", "--dir", cluster.toString()).err())
        .contains("knows no principal carol; name one of admin, alice, bob.")
        .hasLineCount(1);
  }

  @Test
  void refusesKeysThatDoNotGoWithTheClusterFile() throws IOException {
    assertThat(init("--clients", "alice,bob").code()).isZero();
    Path keys = cluster.resolve("clients/alice/client.keys");
    byte[] old = Files.readAllBytes(keys);
    assertThat(OneCommand.run("client", "remove", "bob", "--dir", cluster.toString()).code())
        .isZero();
    Files.write(keys, old);
    ClientConfig config = ClientConfig.read(cluster.resolve("clients/alice/client.conf"));
    assertThatThrownBy(() -> config.credentials().client(config.cluster(), "alice"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("are of the epochs 'submit 1 order 1 lock 1', the cluster file says")
        .hasMessageContaining("'submit 2 order 2 lock 2'; bring both files anew.");
  }

  @Test
  void wantsTheDirectoryOfACluster() {
    OneCommand added =
        OneCommand.run("client", "add", "x", "--dir", temporary.toString(), "--rights", "read");
    assertThat(added.err()).contains("holds no cluster; name the directory").hasLineCount(1);
  }
}
