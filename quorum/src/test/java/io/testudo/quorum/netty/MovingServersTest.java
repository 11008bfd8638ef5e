package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client finds a server wherever it has moved, and goes on with it under replaced keys. */
@Timeout(120)
class MovingServersTest {
  private static final ServerId S0 = new ServerId(0);
  private static final Thresholds ONE = Need.PING.thresholds(1, 0);
  private static final Survey PATIENT = new Survey(Await.ALL, TimeUnit.SECONDS.toNanos(60));
  private static final Endpoint BY_NAME = new Endpoint("s0.example", 7000);

  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyServer> servers = new ArrayList<>();
  private final List<NettyClient> clients = new ArrayList<>();
  private final List<NettyPeer> peers = new ArrayList<>();
  private final AtomicInteger lookups = new AtomicInteger();

  /** What the DNS says at present. */
  private volatile List<InetSocketAddress> answers = List.of();

  @AfterEach
  void end() {
    clients.forEach(NettyClient::close);
    peers.forEach(NettyPeer::close);
    servers.forEach(NettyServer::close);
    loops.close();
  }

  private List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    lookups.incrementAndGet();
    assertThat(host + ":" + port).isEqualTo(BY_NAME.toString());
    if (answers.isEmpty()) {
      throw new UnknownHostException(host);
    }
    return answers;
  }

  private NettyServer serve(ClusterSecrets keys) throws IOException {
    return serve(keys, LinkLimits.standard());
  }

  private NettyServer serve(ClusterSecrets keys, LinkLimits limits) throws IOException {
    NettyServer server =
        new NettyServer(
            loops,
            ServerCredentials.hmac(keys.serverKeyring("town", S0)),
            Gate.everybody(),
            limits,
            PingTypes.ALL);
    server.add(
        () -> new PingServer(S0, 1),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    servers.add(server);
    return server;
  }

  private static ClientCredentials alice(ClusterSecrets keys) {
    return ClientCredentials.hmac(keys.clientKeyring("town", "alice", 1, Set.of()));
  }

  private NettyClient connect(Endpoint server) {
    return connect(server, LinkLimits.standard());
  }

  private NettyClient connect(Endpoint server, LinkLimits limits) {
    NettyClient client =
        NettyClient.connect(
            null, List.of(server), this::resolve, alice(secrets), limits, PingTypes.ALL);
    clients.add(client);
    return client;
  }

  private static ClientMachine pinger(NettyClient client) {
    return client.start(new PingClient(ONE, 20_000_000L, Entropy.seeded(1)), event -> {});
  }

  private static void assertIsServed(ClientMachine pinger) {
    SurveyResult result = pinger.call(PATIENT).join();
    assertThat(result.of(S0).claimed()).isPositive();
  }

  private static Endpoint at(NettyServer server) {
    return new Endpoint("127.0.0.1", server.address().getPort());
  }

  private static InetSocketAddress refusing() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), closed.getLocalPort());
    }
  }

  @Test
  void asksWhereAServerIsWheneverItWasLost() throws IOException {
    NettyServer first = serve(secrets);
    answers = List.of(first.address());
    ClientMachine pinger = pinger(connect(BY_NAME));
    assertIsServed(pinger);
    NettyServer second = serve(secrets);
    answers = List.of(second.address());
    first.close();
    assertIsServed(pinger);
    assertThat(second.connections()).isEqualTo(1);
  }

  @Test
  void waitsUntilSomebodyKnowsTheHost() throws IOException {
    ClientMachine pinger = pinger(connect(BY_NAME));
    while (lookups.get() < 2) {
      Thread.onSpinWait();
    }
    answers = List.of(serve(secrets).address());
    assertIsServed(pinger);
  }

  @Test
  void triesAllAddressesOfAHostInTurn() throws IOException {
    NettyServer other = serve(ClusterSecrets.create(new SecureRandom()));
    NettyServer right = serve(secrets);
    // One where nobody listens, one where somebody else does, and the one that is sought.
    answers = List.of(refusing(), other.address(), right.address());
    assertIsServed(pinger(connect(BY_NAME)));
    assertThat(lookups.get()).isEqualTo(1);
  }

  @Test
  void goesToAnotherAddressWhileTheConnectionBeforeGoesOn() throws IOException {
    NettyServer first = serve(secrets);
    NettyServer second = serve(secrets);
    NettyClient client = connect(at(first));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    client.replace(List.of(at(second)), null).join();
    assertThat(client.connections()).isEqualTo(1);
    assertThat(client.renewed()).isEqualTo(1);
    assertIsServed(pinger);
    assertThat(second.received()).containsKey("Ping");
  }

  @Test
  void goesOnByTheKeysFromBeforeUntilTheServerTakesTheNewOnes() throws IOException {
    ClusterSecrets next = ClusterSecrets.create(new SecureRandom());
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    client.replace(List.of(at(server)), alice(next)).join();
    assertThat(client.renewed()).isZero();
    assertIsServed(pinger); // Over the connection that was there.
    server.close();
    NettyServer again = serve(secrets);
    client.replace(List.of(at(again)), null).join();
    assertIsServed(pinger); // Over another, by the keys from before.
    again.use(ServerCredentials.hmac(next.serverKeyring("town", S0)));
    client.replace(List.of(at(again)), alice(next)).join();
    assertThat(client.renewed()).isEqualTo(1);
    assertIsServed(pinger);
  }

  @Test
  void triesWhatIsSaidLastThoughAnEarlierTryFails() throws IOException {
    ClusterSecrets next = ClusterSecrets.create(new SecureRandom());
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server));
    assertIsServed(pinger(client));
    server.use(ServerCredentials.hmac(next.serverKeyring("town", S0)));
    CompletableFuture<Void> refused =
        client.replace(List.of(at(server)), alice(ClusterSecrets.create(new SecureRandom())));
    client.replace(List.of(at(server)), alice(next)).join();
    assertThat(client.renewed()).isEqualTo(1);
    assertThat(refused).isDone();
  }

  @Test
  void givesUpNothingIfTheNewKeysAreNeverTaken() throws IOException {
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    client.replace(List.of(at(server)), alice(ClusterSecrets.create(new SecureRandom()))).join();
    server.close();
    NettyServer again = serve(secrets);
    client.replace(List.of(at(again)), null).join();
    assertIsServed(pinger);
    assertThat(client.renewed()).isZero();
  }

  /** Keys change again before the server has taken those of the change before. */
  @Test
  void goesOnByWhicheverKeysTheServerTakes() throws IOException {
    List<ClusterSecrets> later = new ArrayList<>();
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    for (int i = 0; i < 7; i++) {
      later.add(ClusterSecrets.create(new SecureRandom()));
      client.replace(List.of(at(server)), alice(later.get(i))).join();
    }
    server.close();
    NettyServer asBefore = serve(secrets);
    client.replace(List.of(at(asBefore)), null).join();
    assertIsServed(pinger); // By those that it has always had.
    asBefore.close();
    NettyServer between = serve(later.get(5));
    client.replace(List.of(at(between)), null).join();
    assertIsServed(pinger);
    assertThat(client.renewed()).isZero();
  }

  /** A principal with as many connections as it may have is to get new keys all the same. */
  @Test
  void connectsAnewWhereNoFurtherConnectionIsAllowed() throws IOException {
    NettyServer server = serve(secrets, LinkLimits.standard().withConnections(1, 10, 1));
    NettyClient client = connect(at(server));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    client.replace(List.of(at(server)), alice(secrets)).join();
    assertIsServed(pinger);
    assertThat(client.renewed()).isEqualTo(1);
    assertThat(server.counters().count(Refusals.TOO_MANY)).isZero();
  }

  /** Who may come no further is sent away when it has shown who it is. */
  @Test
  void keepsTheConnectionThatIsThereIfTheNewOneIsSentAway() throws IOException {
    NettyServer full = serve(secrets, LinkLimits.standard().withConnections(1, 10, 1));
    assertIsServed(pinger(connect(at(full))));
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server), LinkLimits.standard().withTimes(300, 10_000, 60_000));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    client.replace(List.of(at(full)), null).join();
    while (full.counters().count(Refusals.TOO_MANY) < 7) { // The pauses between tries grow.
      assertIsServed(pinger);
    }
    assertIsServed(pinger);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void leavesOneConnectionWhereThereWereTwo() throws IOException {
    NettyServer server = serve(secrets);
    NettyClient client = connect(at(server));
    ClientMachine pinger = pinger(client);
    assertIsServed(pinger);
    for (int i = 0; i < 3; i++) {
      client.replace(List.of(at(server)), alice(secrets)).join();
      assertIsServed(pinger);
    }
    assertThat(client.renewed()).isEqualTo(1);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void aPeerFollowsAnotherToWhereItsNameIs() throws IOException {
    List<String> heard = new ArrayList<>();
    NettyPeer first = peer(heard, "first");
    NettyPeer second = peer(heard, "second");
    NettyPeer dialling =
        NettyPeer.beside(
            null,
            this::resolve,
            ClientCredentials.open("ring", "client"),
            LinkLimits.standard(),
            PingTypes.ALL);
    peers.add(dialling);
    answers = List.of(refusing(), first.address());
    sayUntilHeard(dialling, heard, "first");
    answers = List.of(second.address());
    first.close();
    sayUntilHeard(dialling, heard, "second");
    int before = lookups.get();
    dialling.use(ClientCredentials.open("ring", "client"));
    synchronized (heard) {
      heard.clear();
    }
    while (lookups.get() == before) { // It connects anew.
      sayUntilHeard(dialling, heard, "second");
    }
  }

  private NettyPeer peer(List<String> heard, String name) throws IOException {
    NettyPeer peer =
        NettyPeer.listening(
            loops,
            MemberCredentials.open("ring", name),
            Gate.everybody(),
            HostResolver.ofSystem(),
            LinkLimits.standard(),
            PingTypes.ALL);
    peer.deliverTo(
        new NettyPeer.Mail() {
          @Override
          public void accepted(ClientId from, Message message) {
            synchronized (heard) {
              heard.add(name);
            }
          }

          @Override
          public void dialled(Endpoint from, @Nullable String member, Message message) {}
        });
    peer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    peers.add(peer);
    return peer;
  }

  /** What is said to one that was lost is lost: it is said again. */
  private static void sayUntilHeard(NettyPeer dialling, List<String> heard, String by) {
    while (true) {
      boolean unused =
          dialling.await(
              () -> {
                dialling.dial(BY_NAME, new Ping(1, Incarnations.none(1)));
                return true;
              });
      synchronized (heard) {
        if (heard.contains(by)) {
          return;
        }
      }
    }
  }
}
