package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.ClientListener;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.CommonSettings;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.SealScheme;
import io.testudo.crypto.TlsIdentity;
import io.testudo.mutex.Lease;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.SecurityMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do to the files of a client that runs, and of its servers. */
@Timeout(180)
@SuppressWarnings("NullAway.Init") // Each test starts the cluster that it needs.
class ClientReloadTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S2 = new ServerId(2);
  private static final ServerId S3 = new ServerId(3);

  @TempDir Path temporary;
  private Path root;
  private ClusterDirectory directory;
  private LocalCluster cluster;
  private TestudoClient alice;

  private void start(SecurityMode security, SealScheme seals) {
    start(security, seals, "0s");
  }

  private void start(SecurityMode security, SealScheme seals, String reloadEvery) {
    root = temporary.resolve("cluster");
    CommonSettings common =
        new CommonSettings(TestClusters.PLAIN.lock(), Mode.SEALED_STATEMENTS, seals, TurnsBy.RANK);
    directory = TestClusters.make(root, security, 4, 1, common, "alice", "thief");
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    alice = connect(reloadEvery);
  }

  private TestudoClient connect(String reloadEvery) {
    return TestudoClient.builder(directory.clientConfig("alice"))
        .set("reload-every", reloadEvery)
        .set("timeout", "60s")
        .connect();
  }

  @AfterEach
  void end() {
    alice.close();
    cluster.close();
  }

  private Path ofAlice(String file) {
    return directory.clientConfig("alice").resolveSibling(file);
  }

  /** As on SIGHUP. */
  private void reload(ServerId server) {
    ServerConfig fresh = ServerConfig.read(directory.serverConfig(server));
    assertThat(cluster.node(server).reload(fresh)).isEmpty();
  }

  private long count() {
    return alice.counter("visits").increment().join();
  }

  /** Hears what a client tells of its files. */
  private static final class Told implements ClientListener {
    private final BlockingQueue<List<String>> taken = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> refused = new LinkedBlockingQueue<>();

    @Override
    public void reloaded(List<String> what) {
      taken.add(what);
    }

    @Override
    public void notReloaded(String reason) {
      refused.add(reason);
    }
  }

  private Told listen() {
    Told told = new Told();
    TestudoClient.Registration unused = alice.listen(told);
    return told;
  }

  private void awaitRenewal() {
    ClusterClient made = alice.unwrap(ClusterClient.class);
    while (made.connections().renewed() < 4) {
      Thread.onSpinWait();
    }
  }

  private static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling("fresh");
    Files.copy(file, fresh, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @ParameterizedTest
  @EnumSource(SealScheme.class)
  void goesOnWithNewKeysAndKeepsItsLock(SealScheme seals) throws Exception {
    start(SecurityMode.HMAC, seals);
    Told told = listen();
    assertThat(count()).isEqualTo(1);
    try (Lease lease = alice.lock("work").acquire()) {
      // The keys of alice and thief are exchanged; in the other mode, thief's is struck off.
      var unused = directory.removeClient("thief");
      alice.reload();
      assertThat(told.taken.take()).contains("keys");
      assertThat(count()).isEqualTo(2);
      awaitRenewal();
      for (ServerId server : ServerSet.firstN(4)) {
        reload(server);
        assertThat(count()).isEqualTo(3 + server.index());
      }
      lease.renew();
      assertThat(lease.isHeld()).isTrue();
    }
    try (Lease again = alice.lock("work").acquire()) {
      assertThat(again.isHeld()).isTrue();
    }
    assertThat(told.refused).isEmpty();
    for (ServerId server : ServerSet.firstN(4)) {
      assertThat(cluster.node(server).server().counters().count("old-keys")).isZero();
    }
  }

  @Test
  void learnsOfOnesWhoWereAdded() throws Exception {
    start(SecurityMode.HMAC, SealScheme.ED25519);
    assertThat(count()).isEqualTo(1);
    var unused = directory.addClient("bob", List.of(Grant.of("bob", Set.of(Right.values()), "")));
    ServerSet.firstN(4).forEach(this::reload);
    try (TestudoClient bob = TestudoClient.connect(directory.clientConfig("bob"))) {
      alice.reload();
      for (int i = 2; i < 12; i += 2) {
        assertThat(bob.counter("visits").increment().join()).isEqualTo(i);
        assertThat(count()).isEqualTo(i + 1);
      }
    }
  }

  /** Where seals are signatures, whether one may seal is a matter of rights, too. */
  @Test
  void takesRightsThatAreGrantedLater() throws Exception {
    start(SecurityMode.HMAC, SealScheme.ED25519);
    edit(text -> text.replaceAll("(grant alice \\S+) everything", "$1 prefix visits"));
    ServerSet.firstN(4).forEach(this::reload);
    alice.close();
    alice = connect("0s");
    Told told = listen();
    assertThat(count()).isEqualTo(1);
    edit(text -> text.replaceAll("(grant alice \\S+) prefix visits", "$1 everything"));
    ServerSet.firstN(4).forEach(this::reload);
    alice.reload();
    assertThat(told.taken.take()).containsExactly("rights");
    assertThat(alice.counter("others").increment().join()).isEqualTo(1);
  }

  /** The same edit of all cluster files. */
  private void edit(UnaryOperator<String> change) throws IOException {
    try (var all = Files.walk(root)) {
      for (Path file : all.filter(it -> it.endsWith("cluster.txt")).toList()) {
        replace(file, change.apply(Files.readString(file)));
      }
    }
  }

  @Test
  void refusesAFileThatIsHalfWrittenOnceAndGoesOn() throws Exception {
    start(SecurityMode.HMAC, SealScheme.HMAC_SHA256);
    Told told = listen();
    Path keys = ofAlice("client.keys");
    String whole = Files.readString(keys);
    replace(keys, whole.substring(0, whole.length() / 2));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(alice::reload)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("client.keys");
    }
    assertThat(told.refused).hasSize(1);
    assertThat(count()).isEqualTo(1);
    replace(keys, whole);
    alice.reload();
    assertThat(count()).isEqualTo(2);
    assertThat(told.taken).isEmpty(); // Nothing has changed, after all.
  }

  @Test
  void refusesWhatCannotChangeAndSaysWhat() throws Exception {
    start(SecurityMode.HMAC, SealScheme.HMAC_SHA256);
    Told told = listen();
    Path file = ofAlice("cluster.txt");
    String before = Files.readString(file);
    replace(file, before + "server s4 127.0.0.1 7004\n");
    assertThatThrownBy(alice::reload)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the number of servers (4, now 5) cannot change while a client runs");
    replace(file, before.replace("byzantine 1", "byzantine 0").replace("name test", "name other"));
    assertThatThrownBy(alice::reload)
        .hasMessageContaining("the name of the cluster (test, now other), b (1, now 0) cannot");
    replace(file, before);
    replace(
        ofAlice("common.conf"),
        Files.readString(ofAlice("common.conf")) + "\nlock.max-hold = 20s\n");
    assertThatThrownBy(alice::reload).hasMessageContaining("cannot change while a client runs");
    replace(
        ofAlice("client.conf"),
        Files.readString(ofAlice("client.conf")) + "\nkeys = \"a\\u0000b\"\n");
    assertThatThrownBy(alice::reload)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("keys cannot be the path of a file");
    assertThat(told.refused).hasSize(4);
    assertThat(told.taken).isEmpty();
    assertThat(count()).isEqualTo(1);
  }

  /** That of another cluster, by mistake: nobody is to lose its rights by it. */
  @Test
  void aServerTakesNothingOfTheFileOfAnotherCluster() throws Exception {
    start(SecurityMode.HMAC, SealScheme.HMAC_SHA256);
    assertThat(count()).isEqualTo(1);
    for (ServerId server : ServerSet.firstN(4)) {
      Path own = directory.serverConfig(server);
      Path file = own.resolveSibling("cluster.txt");
      String before = Files.readString(file);
      String stranger = before.replaceAll("grant alice [^\n]*\n", "");
      assertThat(stranger).isNotEqualTo(before);
      for (String other :
          List.of(
              stranger.replace("name test", "name other"),
              stranger.replace("byzantine 1", "byzantine 0"),
              stranger + "server s4 127.0.0.1 7004\n")) {
        replace(file, other);
        ServerConfig fresh = ServerConfig.read(own);
        assertThatThrownBy(() -> cluster.node(server).reload(fresh))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("cannot change while a server runs");
      }
    }
    assertThat(count()).isEqualTo(2);
  }

  /** A server has moved. */
  private void move(ServerId server, int port) throws IOException {
    Path own = directory.serverConfig(server);
    Endpoint before = ServerConfig.read(own).listen();
    replace(
        own,
        Files.readString(own)
            .replace("\"" + before + "\"", "\"" + before.host() + ":" + port + "\""));
    Endpoint from = ServerConfig.read(own).cluster().endpoint(server);
    edit(
        text ->
            text.replace(
                "server %s %s %d\n".formatted(server, from.host(), from.port()),
                "server %s %s %d\n".formatted(server, from.host(), port)));
  }

  @Test
  void followsAServerThatHasMoved() throws Exception {
    start(SecurityMode.HMAC, SealScheme.HMAC_SHA256);
    Told told = listen();
    assertThat(count()).isEqualTo(1);
    int port = FreePorts.find(1).get(0);
    move(S3, port);
    cluster.stop(S3);
    cluster.start(S3);
    for (ServerId server : List.of(S0, new ServerId(1), S2)) {
      reload(server);
    }
    alice.reload();
    assertThat(told.taken.take())
        .containsExactly("the address of s3 (127.0.0.1:%d)".formatted(port));
    cluster.stop(S2); // Without s3 there is no quorum now.
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void noticesByItselfThatAFileHasChanged() throws Exception {
    start(SecurityMode.HMAC, SealScheme.HMAC_SHA256, "100ms");
    Told told = listen();
    move(S3, FreePorts.find(1).get(0));
    assertThat(told.taken.take().toString()).contains("the address of s3");
    Path file = ofAlice("cluster.txt");
    replace(file, Files.readString(file).replace("byzantine 1", "byzantine 0"));
    assertThat(told.refused.take()).contains("b (1, now 0)");
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void takesRenewedCertificatesAndOnlyThoseThatFit() throws Exception {
    start(SecurityMode.TLS, SealScheme.HMAC_SHA256);
    Told told = listen();
    assertThat(count()).isEqualTo(1);
    try (Lease lease = alice.lock("work").acquire()) {
      CertificateAuthority authority =
          CertificateAuthority.read(
              root.resolve("secret/authority.pem"),
              root.resolve("secret/authority-key.pem"),
              new SecureRandom());
      TlsIdentity renewed = authority.issueClient("alice", Instant.now());
      Files.delete(ofAlice("certificate.pem"));
      TlsIdentity.writeCertificate(ofAlice("certificate.pem"), renewed.certificate());
      assertThatThrownBy(alice::reload)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("is not the key of");
      assertThat(count()).isEqualTo(2);
      Files.delete(ofAlice("certificate.pem"));
      Files.delete(ofAlice("private-key.pem"));
      renewed.write(ofAlice("certificate.pem"), ofAlice("private-key.pem"));
      alice.reload();
      assertThat(told.taken.take()).containsExactly("keys");
      for (ServerId server : ServerSet.firstN(4)) {
        renewCertificateOf(server, authority);
      }
      assertThat(count()).isEqualTo(3);
      lease.renew();
    }
  }

  private void renewCertificateOf(ServerId server, CertificateAuthority authority)
      throws IOException {
    Path own = directory.serverConfig(server);
    Path certificate = own.resolveSibling("certificate.pem");
    Path key = own.resolveSibling("private-key.pem");
    TlsIdentity renewed =
        authority.issueServer(server.index(), List.of("127.0.0.1"), Instant.now());
    Files.delete(key);
    Files.delete(certificate);
    TlsIdentity.writeCertificate(certificate, renewed.certificate());
    ServerConfig half = ServerConfig.read(own);
    assertThatThrownBy(() -> cluster.node(server).reload(half))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("private-key.pem");
    Files.delete(certificate);
    renewed.write(certificate, key);
    reload(server);
  }
}
