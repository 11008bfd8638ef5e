package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.CommonSettings;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.SealScheme;
import io.testudo.crypto.TlsIdentity;
import io.testudo.mutex.Lease;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.SecurityMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys and certificates are exchanged, one member after the other and with a restart of a server,
 * while two clients share a lock and count. Nothing fails, nothing is lost, nothing is counted
 * twice, and nobody is in the lock beside another.
 */
@Timeout(300)
@SuppressWarnings("NullAway.Init") // Each test starts the cluster that it needs.
class ReloadUnderLoadTest {
  private static final int ROUNDS_OF_A_STEP = 8;
  private static final int WORKERS_OF_A_CLIENT = 2;
  private static final ServerId S1 = new ServerId(1);

  @TempDir Path temporary;
  private Path root;
  private ClusterDirectory directory;
  private LocalCluster cluster;
  private TestudoClient alice;
  private TestudoClient bob;
  private Lease kept;
  private final AtomicBoolean isKeptLost = new AtomicBoolean();

  /** A permit for each round that is to be made. */
  private final Semaphore rounds = new Semaphore(0);

  /** What became of each round: nothing, or what went wrong. */
  private final BlockingQueue<Optional<Throwable>> ends = new LinkedBlockingQueue<>();

  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean isOver;
  private int made;

  /** Who is in the lock, and the last token there. */
  private final AtomicInteger inside = new AtomicInteger();

  private final AtomicLong lastToken = new AtomicLong();

  /** Something that an operator does. */
  private interface Step {
    void run() throws Exception;
  }

  private void start(SecurityMode security, SealScheme seals) throws InterruptedException {
    root = temporary.resolve("cluster");
    CommonSettings common =
        new CommonSettings(TestClusters.PLAIN.lock(), Mode.SEALED_STATEMENTS, seals, TurnsBy.RANK);
    directory = TestClusters.make(root, security, 4, 1, common, "alice", "bob", "thief");
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    alice = connect("alice");
    bob = connect("bob");
    kept = alice.lock("kept").acquire();
    kept.onLost(() -> isKeptLost.set(true));
    for (TestudoClient client : List.of(alice, bob)) {
      for (int i = 0; i < WORKERS_OF_A_CLIENT; i++) {
        Thread worker = new Thread(() -> work(client));
        workers.add(worker);
        worker.start();
      }
    }
  }

  private TestudoClient connect(String principal) {
    return TestudoClient.builder(directory.clientConfig(principal))
        .set("reload-every", "0s")
        .set("timeout", "100s")
        .connect();
  }

  @AfterEach
  void end() throws InterruptedException {
    isOver = true;
    rounds.release(workers.size());
    alice.close();
    bob.close();
    cluster.close();
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private void work(TestudoClient client) {
    while (true) {
      rounds.acquireUninterruptibly();
      if (isOver) {
        return;
      }
      try {
        round(client);
        ends.add(Optional.empty());
      } catch (Throwable e) {
        ends.add(Optional.of(e));
      }
    }
  }

  private void round(TestudoClient client) throws InterruptedException {
    long unused = client.counter("visits").increment().join();
    try (Lease lease = client.lock("work").acquire()) {
      assertThat(inside.incrementAndGet()).as("who are in the lock").isEqualTo(1);
      assertThat(lastToken.getAndSet(lease.fencingToken())).isLessThan(lease.fencingToken());
      long unusedToo = client.counter("entries").increment().join();
      assertThat(lease.isHeld()).isTrue();
      inside.decrementAndGet();
    }
  }

  /** Takes a step while so many rounds are made; the next one does not begin before their end. */
  private void underLoad(Step step) throws Exception {
    rounds.release(ROUNDS_OF_A_STEP);
    step.run();
    for (int i = 0; i < ROUNDS_OF_A_STEP; i++) {
      Optional<Throwable> trouble = ends.take();
      if (trouble.isPresent()) {
        throw new AssertionError("a round failed", trouble.get());
      }
    }
    made += ROUNDS_OF_A_STEP;
  }

  /** As on SIGHUP. */
  private void reload(ServerId server) {
    ServerConfig fresh = ServerConfig.read(directory.serverConfig(server));
    assertThat(cluster.node(server).reload(fresh)).isEmpty();
  }

  private void restart(ServerId server) {
    cluster.stop(server);
    cluster.start(server);
  }

  private static void awaitRenewal(TestudoClient client) {
    ClusterClient connections = client.unwrap(ClusterClient.class);
    while (connections.connections().renewed() < 4) {
      Thread.onSpinWait();
    }
  }

  private void assertThatNothingWasLost() throws Exception {
    underLoad(
        () -> {
          awaitRenewal(alice);
          awaitRenewal(bob);
        });
    assertThat(bob.counter("visits").get().join()).isEqualTo(made);
    assertThat(alice.counter("entries").get().join()).isEqualTo(made);
    kept.renew();
    assertThat(kept.isHeld()).isTrue();
    assertThat(isKeptLost).isFalse();
    kept.close();
  }

  @ParameterizedTest
  @EnumSource(SealScheme.class)
  void keysAreExchanged(SealScheme seals) throws Exception {
    start(SecurityMode.HMAC, seals);
    underLoad(
        () -> {
          var unused = directory.removeClient("thief");
        });
    underLoad(
        () -> {
          alice.reload();
          restart(S1); // While alice connects anew to one after the other.
        });
    underLoad(() -> bob.reload()); // Whose keys are too old for the one that was restarted.
    underLoad(() -> reload(new ServerId(0)));
    underLoad(() -> reload(new ServerId(2)));
    underLoad(() -> reload(new ServerId(3)));
    assertThatNothingWasLost();
  }

  @Test
  void anAuthorityIsExchanged() throws Exception {
    start(SecurityMode.TLS, SealScheme.HMAC_SHA256);
    CertificateAuthority next =
        CertificateAuthority.create("test", new SecureRandom(), Instant.now());
    Path certificate = temporary.resolve("next.pem");
    TlsIdentity.writeCertificate(certificate, next.certificate());
    String added = Files.readString(certificate);
    for (Path config : members()) {
      Path authority = config.resolveSibling("authority.pem");
      underLoad(
          () -> {
            Files.writeString(authority, added, StandardOpenOption.APPEND);
            take(config);
          });
    }
    for (Path config : members()) {
      underLoad(
          () -> {
            renewCertificate(config, next);
            take(config);
          });
    }
    underLoad(() -> restart(S1));
    for (Path config : members()) {
      underLoad(
          () -> {
            Files.writeString(config.resolveSibling("authority.pem"), added);
            take(config);
          });
    }
    assertThatNothingWasLost();
  }

  /** The configurations of all, clients first. */
  private List<Path> members() {
    List<Path> members = new ArrayList<>();
    members.add(directory.clientConfig("alice"));
    members.add(directory.clientConfig("bob"));
    ServerSet.firstN(4).forEach(server -> members.add(directory.serverConfig(server)));
    return members;
  }

  private void renewCertificate(Path config, CertificateAuthority by) throws IOException {
    Path certificate = config.resolveSibling("certificate.pem");
    Path key = config.resolveSibling("private-key.pem");
    Files.delete(certificate);
    Files.delete(key);
    issue(config, by).write(certificate, key);
  }

  private TlsIdentity issue(Path config, CertificateAuthority by) {
    for (String client : List.of("alice", "bob")) {
      if (config.equals(directory.clientConfig(client))) {
        return by.issueClient(client, Instant.now());
      }
    }
    return by.issueServer(serverOf(config).index(), List.of("127.0.0.1"), Instant.now());
  }

  private ServerId serverOf(Path config) {
    for (ServerId server : ServerSet.firstN(4)) {
      if (config.equals(directory.serverConfig(server))) {
        return server;
      }
    }
    throw new AssertionError(config);
  }

  private void take(Path config) {
    if (config.equals(directory.clientConfig("alice"))) {
      alice.reload();
    } else if (config.equals(directory.clientConfig("bob"))) {
      bob.reload();
    } else {
      reload(serverOf(config));
    }
  }
}
