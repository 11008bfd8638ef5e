package io.testudo.node.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ClientConfig;
import io.testudo.node.config.ServerConfig;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterFile;
import io.testudo.quorum.cluster.Right;
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
    assertRefused("the strawman bears no liars, b=1 is configured", "--backend", "strawman");
    assertRefused("A cluster's name has", "--name", "two words");
    assertRefused("cannot name a directory", "--clients", "../evil");
    assertRefused("use hmac or tls", "--security", "open");
    OneCommand two =
        OneCommand.run("init", cluster.toString(), "--servers", "a:1,b:1,c:1", "--byzantine", "1");
    assertThat(two.err())
        .isEqualTo(
            "testudo init: b=1 in mode all-servers needs 4 servers, 3 are configured; name more"
                + " servers, or bear fewer faults.\n");
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
  void saysWhoCannotCheckTheSealsOfANewPrincipal() {
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
    assertThat(added.out()).contains("\"outdatedKeys\":[\"admin\",\"client\"]");
  }

  @Test
  void wantsTheDirectoryOfACluster() {
    OneCommand added =
        OneCommand.run("client", "add", "x", "--dir", temporary.toString(), "--rights", "read");
    assertThat(added.err()).contains("holds no cluster; name the directory").hasLineCount(1);
  }
}
