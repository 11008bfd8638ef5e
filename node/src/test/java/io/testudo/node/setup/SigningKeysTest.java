package io.testudo.node.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.TestudoClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.crypto.KeyFile;
import io.testudo.crypto.SealScheme;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose clients seal with signatures: who is given which keys, and what is refused. */
class SigningKeysTest {
  private static final String FOUR = "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4";

  @TempDir Path temporary;
  private Path cluster;

  @BeforeEach
  void makeACluster() {
    cluster = temporary.resolve("prod");
    OneCommand made = init(cluster, "--clients", "alice,bob", "--seals", "ed25519", "--json");
    assertThat(made.err()).isEmpty();
    assertThat(made.out()).contains("\"seals\":\"ed25519\"");
  }

  private static OneCommand init(Path directory, String... more) {
    return OneCommand.run(
        Stream.concat(
                Stream.of("init", directory.toString(), "--servers", FOUR, "-b", "1"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private Path of(String principal, String file) {
    return cluster.resolve("clients").resolve(principal).resolve(file);
  }

  private ClientConfig config(String principal) {
    return ClientConfig.read(of(principal, "client.conf"));
  }

  private void assertRefused(String principal, String... words) {
    assertThatThrownBy(() -> TestudoClient.connect(of(principal, "client.conf")).close())
        .isInstanceOf(ConfigurationException.class)
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
  }

  @Test
  void areMadeForEachPrincipalAndKnownToAll() throws IOException {
    ServerConfig server = ServerConfig.read(cluster.resolve("s0/server.conf"));
    assertThat(server.common().seals()).isEqualTo(SealScheme.ED25519);
    assertThat(server.cluster().signingKeys()).containsOnlyKeys("admin", "alice", "bob");
    for (String principal : List.of("admin", "alice", "bob")) {
      ClientConfig own = config(principal);
      assertThat(own.cluster()).isEqualTo(server.cluster());
      assertThat(own.common().print(own.cluster()))
          .isEqualTo(server.common().print(server.cluster()));
      assertThat(KeyFile.readSigningKey(of(principal, "signing.key")).verifyingKey())
          .isEqualTo(own.cluster().signingKeys().get(principal));
      assertThat(own.withKeysRead().objectSeals()).isNotNull();
    }
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(of("bob", "signing.key"))))
        .isEqualTo("rw-------");
    assertThat(cluster.resolve("s0/signing.key")).doesNotExist();
  }

  @Test
  void areNotMadeUnlessAskedFor() {
    Path shared = temporary.resolve("shared");
    assertThat(init(shared, "--json").out()).contains("\"seals\":\"hmac\"");
    assertThat(shared.resolve("clients/client/signing.key")).doesNotExist();
    assertThat(ServerConfig.read(shared.resolve("s0/server.conf")).cluster().signingKeys())
        .isEmpty();
    assertThat(init(temporary.resolve("other"), "--seals", "rsa").err())
        .contains("'rsa' is no kind of seals; choose hmac or ed25519");
  }

  @Test
  void ofAPrincipalThatIsAddedAreBroughtToAllOthers() throws IOException {
    byte[] before = Files.readAllBytes(of("alice", "signing.key"));
    OneCommand added =
        OneCommand.run(
            "client", "add", "carol", "--dir", cluster.toString(), "--rights", "read,submit");
    assertThat(added.err()).isEmpty();
    assertThat(added.out())
        .contains("who take them by themselves:", "clients/alice", "clients/bob");
    for (String principal : List.of("admin", "alice", "bob", "carol")) {
      assertThat(config(principal).cluster().signingKeys())
          .containsOnlyKeys("admin", "alice", "bob", "carol");
      assertThat(config(principal).withKeysRead().objectSeals()).isNotNull();
    }
    assertThat(Files.readAllBytes(of("alice", "signing.key"))).isEqualTo(before);
  }

  @Test
  void ofAPrincipalThatIsRemovedCountNoMoreAndOthersKeepTheirs() throws IOException {
    byte[] before = Files.readAllBytes(of("alice", "signing.key"));
    OneCommand removed = OneCommand.run("client", "remove", "bob", "--dir", cluster.toString());
    assertThat(removed.err()).isEmpty();
    assertThat(config("alice").cluster().signingKeys()).containsOnlyKeys("admin", "alice");
    // Servers refuse who has not heard of it, and would believe what bob signs.
    assertThat(ClusterFile.read(cluster.resolve("s1/cluster.txt")).epochs())
        .hasToString("submit 2 order 2 lock 2");
    assertThat(config("alice").withKeysRead().objectSeals()).isNotNull();
    assertThat(Files.readAllBytes(of("alice", "signing.key"))).isEqualTo(before);
    OneCommand again =
        OneCommand.run("client", "add", "bob", "--dir", cluster.toString(), "--rights", "order");
    assertThat(again.err()).isEmpty();
    assertThat(config("alice").cluster().signingKeys()).containsKey("bob");
  }

  @Test
  void areRefusedIfTheyAreNotThoseOfTheClusterFile() throws IOException {
    Files.copy(
        of("bob", "signing.key"),
        of("alice", "signing.key"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
    assertRefused("alice", "signing.key is not the key that the cluster file has of alice");
    rewrite(of("bob", "cluster.txt"), "signing-key bob [0-9a-f]*\n", "");
    assertRefused("bob", "has no 'signing-key' of bob", "have it added");
  }

  @Test
  void areMissedWhereSealsAreSignatures() throws IOException {
    rewrite(of("alice", "client.conf"), "signing-key = .*\n", "");
    assertRefused("alice", "the key of alice, and no 'signing-key' is named; add it.");
    Files.delete(of("bob", "signing.key"));
    assertRefused("bob", "signing.key");
  }

  @Test
  void areRefusedWhereSealsAreSharedKeys() throws IOException {
    rewrite(of("alice", "common.conf"), "seals = ed25519", "seals = hmac");
    assertRefused("alice", "seals is hmac, and the cluster file has signing keys");
    rewrite(of("alice", "cluster.txt"), "signing-key .*\n", "");
    assertRefused("alice", "signing-key is not used with 'seals = hmac'; remove it.");
    rewrite(of("bob", "cluster.txt"), "signing-key .*\n", "");
    assertRefused("bob", "seals is ed25519, and the cluster file has no 'signing-key'");
    Path server = cluster.resolve("s0");
    rewrite(server.resolve("common.conf"), "seals = ed25519", "seals = hmac");
    assertThatThrownBy(() -> ServerConfig.read(server.resolve("server.conf")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("seals is hmac, and the cluster file has signing keys");
  }

  @Test
  void areReadByAClientWithoutAConfigurationFile() {
    TestudoClient.builder()
        .clusterFile(of("alice", "cluster.txt"))
        .principal("alice")
        .keys(of("alice", "client.keys"))
        .signingKey(of("alice", "signing.key"))
        .connect()
        .close();
    assertThatThrownBy(
            () ->
                TestudoClient.builder()
                    .cluster("prod", 1, FOUR.split(",", -1))
                    .principal("alice")
                    .keys(of("alice", "client.keys"))
                    .signingKey(of("alice", "signing.key"))
                    .connect())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the cluster file has no 'signing-key'");
  }

  private static void rewrite(Path file, String pattern, String by) throws IOException {
    String text = Files.readString(file);
    assertThat(text).containsPattern(pattern);
    Files.writeString(file, text.replaceAll(pattern, by));
  }
}
