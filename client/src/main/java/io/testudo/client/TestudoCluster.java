package io.testudo.client;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ServerMachines;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.Credentials;
import io.testudo.client.config.Settings;
import io.testudo.crypto.Kdf;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.SealScheme;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.cluster.Signers;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.protocol.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A whole cluster in this process, with locks and objects on the same servers, on real sockets of
 * the loopback address: for tests, examples and development. Its keys are drawn anew, unless they
 * are in the directory in which it is started.
 *
 * <pre>{@code
 * try (TestudoCluster cluster = TestudoCluster.start(4, 1);
 *     TestudoClient client = cluster.client()) {
 *   cluster.stop(3);
 *   long visits = client.counter("visits").increment().join();
 * }
 * }</pre>
 */
public final class TestudoCluster implements AutoCloseable {
  private static final String ORIGIN = "TestudoCluster.start()";
  private static final String VERSION = "embedded";
  private static final String PRINCIPAL = "client";
  private static final String SIGNING_KEY = "embedded-signing-key";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final int servers;
  private final int byzantine;
  private final CommonSettings common;
  private final EmbeddedCluster embedded;

  /** Where seals are signatures; clients that are there know those who come later, too. */
  private final Map<KeyId, Signers.Signer> signers = new ConcurrentHashMap<>();

  private final ReentrantLock changing = new ReentrantLock();

  /** Guarded by {@link #changing}, as is what follows. */
  private final List<TestudoClient> clients = new ArrayList<>();

  private boolean closed;

  private TestudoCluster(
      int servers, int byzantine, CommonSettings common, EmbeddedCluster embedded) {
    this.servers = servers;
    this.byzantine = byzantine;
    this.common = common;
    this.embedded = embedded;
  }

  /**
   * Starts servers that keep everything in memory.
   *
   * @param byzantine how many of them may lie; three times as many and one more are needed
   * @throws io.testudo.quorum.ConfigurationException if there are too few servers for that
   */
  public static TestudoCluster start(int servers, int byzantine) {
    return start(servers, byzantine, Map.of());
  }

  /**
   * Starts servers that keep everything in memory.
   *
   * @param settings what a cluster's configuration file may say of locks, objects and seals, such
   *     as {@code lock.backend} with {@code sigma}, or {@code seals} with {@code ed25519}
   */
  public static TestudoCluster start(int servers, int byzantine, Map<String, String> settings) {
    CommonSettings common = common(servers, byzantine, settings);
    return new TestudoCluster(
        servers,
        byzantine,
        common,
        EmbeddedCluster.start(
            servers,
            ServerMachines.types(common),
            id -> machines(id, servers, byzantine, common),
            Gate.everybody().withSeals(common.seals())));
  }

  /**
   * Starts servers that keep their journals and keys in a directory: a cluster that is started
   * there later goes on where this one ended. The directory is made if need be, and stays.
   *
   * @param settings as with {@link #start(int, int, Map)}
   * @throws java.io.UncheckedIOException if the directory cannot be used
   * @throws IllegalStateException if the servers do not start, as when others run in the directory
   */
  public static TestudoCluster startIn(
      Path directory, int servers, int byzantine, Map<String, String> settings) {
    CommonSettings common = common(servers, byzantine, settings);
    return new TestudoCluster(
        servers,
        byzantine,
        common,
        EmbeddedCluster.startIn(
            directory,
            servers,
            ServerMachines.types(common),
            id -> machines(id, servers, byzantine, common),
            Gate.everybody().withSeals(common.seals())));
  }

  private static CommonSettings common(int servers, int byzantine, Map<String, String> given) {
    Settings settings = Settings.of(ORIGIN, given);
    CommonSettings common = CommonSettings.of(settings);
    settings.refuseUnknown();
    common.check(settings, servers, byzantine);
    return common;
  }

  private static List<Machine<ClientId>> machines(
      ServerId self, int servers, int byzantine, CommonSettings common) {
    ClusterDescription cluster = description(servers, byzantine, PRINCIPAL);
    return ServerMachines.of(self, cluster, common, Enrolment.FOUNDING, VERSION, () -> 0).stream()
        .<Machine<ClientId>>map(machine -> machine.machine().get())
        .toList();
  }

  /** What the members agree on; ports are drawn when servers start, so these are none. */
  private static ClusterDescription description(int servers, int byzantine, String principal) {
    Grant everything = Grant.of(principal, ImmutableSet.copyOf(Right.values()), "");
    ImmutableList.Builder<Endpoint> endpoints = ImmutableList.builder();
    for (ServerId server : ServerSet.firstN(servers)) {
      endpoints.add(new Endpoint(server.toString(), 1));
    }
    return new ClusterDescription(
        EmbeddedCluster.NAME,
        SecurityMode.HMAC,
        byzantine,
        endpoints.build(),
        Rights.of(List.of(everything), List.of()));
  }

  /** A new client, as if it were a process of its own: it shares nothing with others. */
  public TestudoClient client() {
    return client(PRINCIPAL);
  }

  /** A new client of another principal; in such a cluster each may do everything. */
  public TestudoClient client(String principal) {
    return client(principal, common);
  }

  /** A client that may have been told something else than the servers. */
  TestudoClient client(String principal, CommonSettings told) {
    changing.lock();
    try {
      checkState(!closed, "the cluster is closed");
      ClientConfig config =
          new ClientConfig(
              Path.of(ORIGIN),
              principal,
              description(servers, byzantine, principal),
              told,
              credentials(principal, told),
              TIMEOUT);
      TestudoClient client =
          TestudoClient.over(ClusterClient.on(embedded.client(principal), config), null);
      clients.add(client);
      return client;
    } finally {
      changing.unlock();
    }
  }

  private Credentials credentials(String principal, CommonSettings told) {
    ClientKeyring keyring = embedded.keyring(principal);
    if (told.seals() == SealScheme.HMAC_SHA256) {
      return Credentials.of(keyring, Optional.empty(), signers::get);
    }
    // Derived, so that a cluster which is started in the same directory has the same keys.
    try (SecretBytes seed = Kdf.derive(keyring.keyFor(new ServerId(0)), SIGNING_KEY)) {
      SigningKey key = SigningKey.fromSeed(seed);
      Rights rights = description(servers, byzantine, principal).rights();
      signers.put(
          KeyId.of(key.verifyingKey()), new Signers.Signer(principal, key.verifyingKey(), rights));
      return Credentials.of(keyring, Optional.of(key), signers::get);
    }
  }

  /** How many servers there are. */
  public int servers() {
    return servers;
  }

  /** Ends a server at once; does nothing if it has ended. Its journal stays. */
  public void stop(int server) {
    embedded.stop(id(server));
  }

  /**
   * Starts a server again that was ended, at the same address, with what it has kept.
   *
   * @throws IllegalStateException if it runs, or does not start
   */
  public void start(int server) {
    embedded.restart(id(server));
  }

  private ServerId id(int server) {
    changing.lock();
    try {
      checkState(!closed, "the cluster is closed");
    } finally {
      changing.unlock();
    }
    checkArgument(
        server >= 0 && server < servers, "the servers are 0 to %s, not %s", servers - 1, server);
    return new ServerId(server);
  }

  /** Ends the clients and the servers. */
  @Override
  public void close() {
    List<TestudoClient> open;
    changing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(clients);
      clients.clear();
    } finally {
      changing.unlock();
    }
    open.forEach(TestudoClient::close);
    embedded.close();
  }
}
