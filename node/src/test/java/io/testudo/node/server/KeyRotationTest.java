package io.testudo.node.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.cluster.ServerMachines;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Entropy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A principal is removed and the keys that it had are exchanged, one server after another. */
class KeyRotationTest {
  private static final ServerId LIAR = new ServerId(3);
  private static final Mode MODE = Mode.SEALED_STATEMENTS;

  @TempDir Path temporary;
  private ClusterDirectory directory;
  private LocalCluster cluster;
  private String alice;

  @BeforeEach
  void start() {
    directory =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "alice", "thief");
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    alice = directory.clientConfig("alice").toString();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private static OneCommand visits(String verb, String config) {
    return visits(verb, config, "20s");
  }

  private static OneCommand visits(String verb, String config, String timeout) {
    List<String> words = new ArrayList<>(List.of("object", verb, "visits", "--config", config));
    words.addAll(List.of("--timeout", timeout));
    if (verb.equals("get")) {
      words.addAll(List.of("--type", "counter"));
    }
    return OneCommand.run(words.toArray(new String[0]));
  }

  private static void assertSays(OneCommand command, int number) {
    assertThat(command.err()).isEmpty();
    assertThat(command.out()).isEqualTo(number + "\n");
  }

  private static void assertIsRefused(OneCommand command) {
    assertThat(command.code()).isNotZero();
    assertThat(command.err()).contains("its keys may be older than those in use");
  }

  /** A copy of what a principal has, as it is now. */
  private String copyOf(String principal) throws IOException {
    Path from = Objects.requireNonNull(directory.clientConfig(principal).getParent());
    Path to = Files.createDirectory(temporary.resolve("old-" + principal));
    try (var files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return to.resolve("client.conf").toString();
  }

  private void remove(String principal) {
    OneCommand removed =
        OneCommand.run(
            "client", "remove", principal, "--dir", temporary.resolve("cluster").toString());
    assertThat(removed.err()).isEmpty();
  }

  /** As on SIGHUP, once its new cluster file is there. */
  private void reload(ServerId server) {
    ServerConfig fresh = ServerConfig.read(directory.serverConfig(server));
    assertThat(cluster.node(server).reload(fresh)).isEmpty();
  }

  @Test
  void goesOnWithNewKeysWhileItIsRolledOutAndRefusesOldOnesThen() throws Exception {
    assertSays(visits("incr", alice), 1);
    String stale = copyOf("alice");
    String thief = copyOf("thief");
    remove("thief");
    assertSays(visits("incr", stale), 2);
    int expected = 2;
    assertSays(visits("incr", alice), ++expected);
    for (ServerId server : ServerSet.firstN(4)) {
      reload(server);
      assertSays(visits("incr", alice), ++expected);
    }
    assertIsRefused(visits("get", stale));
    assertIsRefused(visits("incr", stale));
    assertThat(visits("incr", thief, "1s").code()).isNotZero();
    assertThat(cluster.node(LIAR).server().counters().count("old-keys")).isPositive();
    assertSays(visits("get", alice), expected);
  }

  @Test
  void leavesNothingThatTheRemovedOneAndALiarCouldForge() throws Exception {
    for (int i = 1; i <= 7; i++) {
      assertSays(visits("incr", alice), i);
    }
    String stale = copyOf("alice");
    Path thief = Path.of(copyOf("thief")).resolveSibling("client.keys");
    SecretBytes stolen = ClientKeyring.read(thief).groupKeys(KeyPurpose.ORDER).get("");
    remove("thief");
    ServerSet.firstN(4).forEach(this::reload);
    ServerConfig config = ServerConfig.read(directory.serverConfig(LIAR));
    List<StateRecord> forged = aMillion(Objects.requireNonNull(stolen));
    cluster.stop(LIAR);
    try (ServerLoops loops = ServerLoops.start(1);
        NettyServer liar =
            new NettyServer(
                loops,
                config.credentials().server(config.cluster(), LIAR),
                Gate.everybody(),
                config.limits(),
                ServerMachines.types(TestClusters.PLAIN))) {
      liar.add(() -> new Impostor(forged), loop -> Ledger.none(), event -> {}, broken -> {});
      liar.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), config.listen().port()));
      for (int i = 0; i < 5; i++) {
        assertSays(visits("get", alice), 7);
        assertIsRefused(visits("get", stale));
        assertIsRefused(visits("incr", stale));
      }
      assertSays(visits("incr", alice), 8);
    }
  }

  /** Shows what thieves have made, and nothing else. */
  private static final class Impostor extends Machine<ClientId> {
    private final OrderingServer own = new OrderingServer(MODE);
    private final List<StateRecord> forged;

    Impostor(List<StateRecord> forged) {
      this.forged = forged;
      onMessage(
          Get.class,
          (from, get) ->
              answer(
                  from,
                  new Get(
                      get.object(), get.nonce(), Rank.NONE, Optional.empty(), get.known(), false)));
      onMessage(Fetch.class, this::answer);
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      List<Effect<ClientId>> unused = own.step(new Input.Started<>(forged), now());
    }

    private void answer(ClientId from, Message message) {
      for (Effect<ClientId> effect : own.step(new Input.Received<>(from, message), now())) {
        if (effect instanceof Effect.Send<ClientId> send) {
          send(send.to(), send.message());
        }
      }
    }
  }

  /** What servers would store if somebody with this key ordered: a million, at a high rank. */
  private static List<StateRecord> aMillion(SecretBytes key) throws Exception {
    ObjectBackend backend = ObjectBackend.standard();
    List<OrderingServer> stored = new ArrayList<>();
    try (EmbeddedCluster den =
            EmbeddedCluster.start(
                4,
                backend.types(),
                id -> {
                  OrderingServer machine = new OrderingServer(MODE);
                  stored.add(machine); // More are made than serve.
                  return List.of(
                      machine,
                      backend.locks().serverMachine(LockScope.everything(), Entropy.seeded(1)));
                });
        ObjectClient thief =
            ObjectClient.on(den.client("thief"), 4, 1)
                .backend(backend)
                .seals(ObjectSeals.group("test", Map.of("", key)))
                .closesConnections()
                .build()) {
      CounterObject visits = CounterObject.open(thief, "visits");
      for (int i = 0; i < 20; i++) {
        long unused = visits.increment(50_000).get(30, SECONDS);
      }
      assertThat(visits.get().get(30, SECONDS)).isEqualTo(1_000_000);
    }
    return stored.stream()
        .map(OrderingServer::snapshot)
        .max(Comparator.comparingInt(List::size))
        .orElseThrow();
  }
}
