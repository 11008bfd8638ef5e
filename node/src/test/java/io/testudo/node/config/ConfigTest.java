package io.testudo.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.CredentialFiles;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.node.OneCommand;
import io.testudo.quorum.Access;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.journal.JournalOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong configurations: one line each, which names the file and says what to do. */
class ConfigTest {
  @TempDir Path temporary;
  private Path server;
  private Path client;

  @TempDir static Path once;

  @BeforeAll
  static void makeACluster() {
    OneCommand init =
        OneCommand.run(
            "init", once.resolve("c").toString(), "--servers", "a:1,b:1,c:1,d:1", "-b", "1");
    assertThat(init.code()).isZero();
  }

  @BeforeEach
  void copyIt() throws IOException {
    copy("s1", "server.conf", "server.keys");
    copy("s2", "server.keys");
    copy("clients/client", "client.conf", "client.keys");
    server = temporary.resolve("c/s1/server.conf");
    client = temporary.resolve("c/clients/client/client.conf");
  }

  private void copy(String member, String... files) throws IOException {
    Path from = once.resolve("c").resolve(member);
    Path to = temporary.resolve("c").resolve(member);
    Files.createDirectories(to);
    for (String file : files) {
      Files.copy(from.resolve(file), to.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    for (String file : List.of("common.conf", "cluster.txt")) {
      Files.copy(from.resolve(file), to.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static void add(Path file, String line) throws IOException {
    Files.writeString(file, Files.readString(file) + line + "\n");
  }

  private void assertServerRefused(String words) {
    assertThatThrownBy(() -> ServerConfig.read(server))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(words);
  }

  @Test
  void takesWhatIsSetAndTheUsualForTheRest() throws IOException {
    add(server, "limits.connections = 7, limits.idle = 90s, sync = false, admin = none");
    add(server, "lock.prefixes { \"batch/\" = backoff, \"a.b/\" = backoff }");
    ServerConfig config = ServerConfig.read(server);
    assertThat(config.limits().connections()).isEqualTo(7);
    assertThat(config.limits().idleMillis()).isEqualTo(90_000);
    assertThat(config.limits().frameMillis()).isEqualTo(10_000);
    assertThat(config.survives()).isEqualTo(JournalOptions.Survives.PROCESS_DEATH);
    assertThat(config.admin()).isEmpty();
    assertThat(config.common().lock().prefixes()).containsOnlyKeys("a.b/", "batch/");
    assertThat(config.data()).isEqualTo(server.resolveSibling("data"));
  }

  @Test
  void refusesASettingThatDoesNotExist() throws IOException {
    add(server, "lock.max-hodl = 5s");
    assertServerRefused("server.conf: lock.max-hodl is no setting; correct its name or remove it.");
  }

  @Test
  void refusesValuesThatCannotBe() throws IOException {
    add(server, "limits.connections = many");
    assertServerRefused("limits.connections cannot be used");
  }

  @Test
  void refusesTimesThatCannotBe() throws IOException {
    add(server, "lock.drift = 0.9");
    assertServerRefused("lock cannot be: a drift of 0.9");
  }

  @Test
  void refusesAWordOutOfPlace() throws IOException {
    add(server, "object.mode = trusting");
    assertServerRefused("object.mode is 'trusting'; choose one of plain, sealed-ranks");
  }

  @Test
  void refusesAServerThatTheClusterDoesNotHave() throws IOException {
    add(server, "server = s9");
    assertServerRefused("server is 's9'; name one of the cluster's servers, such as s0.");
  }

  @Test
  void refusesAClusterTooSmallForItsMode() throws IOException {
    add(server, "object.mode = plain");
    assertServerRefused("b=1 in mode plain needs 7 servers, 4 are configured; add servers");
  }

  @Test
  void takesQuorumsAndWhomToAskFirst() throws IOException {
    add(server, "object.quorums = least, object.access = quorum, lock.backoff.access = quorum");
    CommonSettings common = ServerConfig.read(server).common();
    assertThat(common.objectQuorums()).isEqualTo(QuorumKind.LEAST);
    assertThat(common.objectAccess()).isEqualTo(Access.QUORUM);
    assertThat(common.lock().protocols().get(0).access()).isEqualTo(Access.QUORUM);
  }

  @Test
  void membersAgreeOnQuorumsAndNotOnWhomToAskFirst() throws IOException {
    ServerConfig before = ServerConfig.read(server);
    String print = before.common().print(before.cluster());
    add(server, "object.access = quorum, lock.backoff.access = quorum");
    assertThat(ServerConfig.read(server).common().print(before.cluster())).isEqualTo(print);
    add(server, "object.quorums = least");
    String other = ServerConfig.read(server).common().print(before.cluster());
    assertThat(other).isNotEqualTo(print);
    add(server, "object.quorums = standard, lock.backoff.quorums = least");
    assertThat(ServerConfig.read(server).common().print(before.cluster()))
        .isNotEqualTo(print)
        .isNotEqualTo(other);
  }

  @Test
  void refusesQuorumsAndAccessThatDoNotExist() throws IOException {
    add(server, "object.quorums = circle");
    assertServerRefused("object.quorums is 'circle'; choose one of standard, least, grid, m-grid.");
    add(server, "object.quorums = least, object.access = some");
    assertServerRefused("object.access is 'some'; choose one of all, quorum.");
    add(server, "object.access = [quorum]");
    assertServerRefused("object.access");
  }

  @Test
  void refusesGridsThatTheServersAreNotEnoughFor() throws IOException {
    add(server, "object.quorums = m-grid");
    assertServerRefused(
        "object.quorums = m-grid cannot be: b=1 in an M-grid needs 9 servers, 4 are configured;"
            + " add servers");
    add(server, "object.quorums = standard, lock.backoff.quorums = grid");
    assertServerRefused(
        "lock.backoff.quorums = grid cannot be: b=1 in a grid needs 16 servers, 4 are configured;"
            + " add servers");
  }

  @Test
  void refusesTextThatIsNoConfiguration() throws IOException {
    add(server, "}{");
    assertServerRefused("server.conf is no usable configuration");
  }

  @Test
  void refusesAMissingCommonPart() throws IOException {
    Files.delete(server.resolveSibling("common.conf"));
    assertServerRefused("common.conf");
  }

  @Test
  void refusesAFileThatOthersCouldChange() throws IOException {
    Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertServerRefused("server.conf can be written by others");
  }

  @Test
  void refusesAnIncludedFileThatOthersCouldChange() throws IOException {
    Path common = server.resolveSibling("common.conf");
    Files.setPosixFilePermissions(common, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertServerRefused("common.conf can be written by others");
  }

  @Test
  void includesFilesOnlyAndNoneInItself() throws IOException {
    add(server, "include url(\"http://localhost:1/x.conf\")");
    assertServerRefused("a configuration includes files only, not http://localhost:1/x.conf");
    Files.writeString(server, "include \"server.conf\"");
    assertServerRefused("server.conf is included by itself; remove the loop");
  }

  @Test
  void takesNoClientsConfigurationOfAnotherUserUnlessItIsNamed() throws IOException {
    Path home = temporary.resolve("home");
    Path found = home.resolve(".config/testudo/client.conf");
    Files.createDirectories(found.getParent());
    for (String name : List.of("client.conf", "common.conf", "cluster.txt", "client.keys")) {
      Files.copy(client.resolveSibling(name), found.resolveSibling(name));
    }
    Map<String, String> environment = Map.of("HOME", home.toString());
    assertThat(ClientConfig.find(null, environment).principal()).isEqualTo("client");
    String user = System.getProperty("user.name");
    if (user.equals("root")) {
      Files.setOwner(
          found,
          found.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }
    System.setProperty("user.name", user.equals("root") ? user : "no-such-user");
    try {
      assertThatThrownBy(() -> ClientConfig.find(null, environment))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(" belongs to ")
          .hasMessageContaining("Name it with --config if you trust it.");
      assertThat(ClientConfig.find(found, environment).principal()).isEqualTo("client");
    } finally {
      System.setProperty("user.name", user);
    }
  }

  @Test
  void noticesKeysThatWereReplacedInPlace() throws IOException {
    CredentialFiles credentials = ServerConfig.read(server).credentials();
    String before = credentials.print();
    assertThat(ServerConfig.read(server).credentials().print()).isEqualTo(before);
    Files.copy(
        temporary.resolve("c/s2/server.keys"),
        server.resolveSibling("server.keys"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(ServerConfig.read(server).credentials().print()).isNotEqualTo(before);
  }

  @Test
  void refusesMissingAndOpenKeysAndThoseOfAnother() throws IOException {
    ServerConfig config = ServerConfig.read(server);
    Path keys = server.resolveSibling("server.keys");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> config.credentials().server(config.cluster(), config.self()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("open to others than its owner; run: chmod 600");
    Files.delete(keys);
    assertThatThrownBy(() -> config.credentials().server(config.cluster(), config.self()))
        .hasMessageContaining("server.keys does not exist; name the right file");
    Files.copy(temporary.resolve("c/s2/server.keys"), keys);
    assertThatThrownBy(() -> config.credentials().server(config.cluster(), config.self()))
        .hasMessageContaining("holds the keys of s2, but this is s1; name the right file.");
  }

  @Test
  void findsTheClientsConfigurationByOptionOrVariable() {
    assertThat(ClientConfig.find(client, Map.of()).principal()).isEqualTo("client");
    assertThat(
            ClientConfig.find(null, Map.of(ClientConfig.VARIABLE, client.toString())).principal())
        .isEqualTo("client");
    Path elsewhere = temporary.resolve("nowhere");
    assertThatThrownBy(() -> ClientConfig.find(null, Map.of("HOME", elsewhere.toString())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("No client configuration was found; name it with --config");
  }

  @Test
  void givesNamesTheBackendOfTheLongestPrefix() throws IOException {
    add(client, "lock.prefixes { \"a/\" = closed, \"a/b/\" = backoff }");
    add(client, "lock.fence-floors { \"a/b/\" = 77 }");
    LockSettings lock = ClientConfig.read(client).common().lock();
    assertThat(lock.table().bindingOf("other").backend()).isEqualTo("backoff");
    assertThat(lock.table().bindingOf("a/x").backend()).isEqualTo("closed");
    assertThat(lock.table().bindingOf("a/b/x")).isEqualTo(new BackendTable.Binding("backoff", 77));
    assertThat(lock.backends()).containsExactly("backoff");
  }

  @Test
  void refusesChoicesThatCannotBeOrAreUnsafe() throws IOException {
    String before = Files.readString(server) + "lock.prefixes { \"q/\" = sigma }\n";
    Map<String, String> refused =
        Map.of(
            "lock.sigma.grants = 2", "quorum",
            "lock.sigma.grants = 4", "quorum",
            "lock.sigma.grants = none", "lock.sigma.grants is 'none'; choose 'two-thirds' or",
            "lock.sigma.servers = 3", "servers",
            "lock.sigma.servers = 5", "lock.sigma.servers is 5, and the cluster has 4 servers",
            "lock.sigma.quarantine = perhaps", "choose one of off, on",
            "lock.backoff.law = cubic", "choose one of exponential, linear, constant",
            "lock.backoff.factor = 0.5", "choose a number from 1.1 to 16.0",
            "lock.backoff.longest-sleep = 3", "choose a time such as 500ms",
            "lock.backoff.jitter = 1", "lock.backoff.jitter is no setting");
    for (Map.Entry<String, String> one : refused.entrySet()) {
      Files.writeString(server, before);
      add(server, one.getKey());
      assertServerRefused(one.getValue());
    }
  }

  @Test
  void printsOtherSettingsOtherwise() throws IOException {
    ServerConfig before = ServerConfig.read(server);
    add(server, "lock.delay = 101ms");
    ServerConfig after = ServerConfig.read(server);
    assertThat(after.common().print(after.cluster()))
        .hasSize(16)
        .isNotEqualTo(before.common().print(before.cluster()));
    add(server, "lock.sigma.grants = two-thirds");
    ServerConfig asUsual = ServerConfig.read(server);
    assertThat(asUsual.common().print(asUsual.cluster()))
        .isEqualTo(after.common().print(after.cluster()));
    add(server, "lock.sigma.grants = 3");
    ServerConfig chosen = ServerConfig.read(server);
    assertThat(chosen.common().print(chosen.cluster()))
        .isNotEqualTo(after.common().print(after.cluster()));
  }
}
