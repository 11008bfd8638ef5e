package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mutual TLS with certificates of the cluster's own authority. */
@Timeout(60)
class TlsOverSocketsTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);
  private static final List<String> HOSTS = List.of("localhost");

  private final Instant now = Instant.now();
  private final CertificateAuthority town = authority("town");
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyClient> clients = new ArrayList<>();
  private NettyServer server;

  private CertificateAuthority authority(String cluster) {
    return CertificateAuthority.create(cluster, new SecureRandom(), now);
  }

  @BeforeEach
  void start() throws IOException, CertificateException {
    server =
        new NettyServer(
            loops,
            ServerCredentials.tls(town.issueServer(0, HOSTS, now), town.certificate(), S0),
            Gate.everybody(),
            LinkLimits.standard(),
            PingTypes.ALL);
    server.add(
        () -> new PingServer(S0, 1),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    clients.forEach(NettyClient::close);
    server.close();
    loops.close();
  }

  private NettyClient connect(ClientCredentials credentials, InetSocketAddress... addresses) {
    NettyClient client =
        NettyClient.connect(List.of(addresses), credentials, LinkLimits.standard(), PingTypes.ALL);
    clients.add(client);
    return client;
  }

  private TrustedAuthorities trusted() throws CertificateException {
    return TrustedAuthorities.of(List.of(town.certificate()));
  }

  private static CompletableFuture<SurveyResult> ping(NettyClient client) {
    return client
        .start(
            new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)), event -> {})
        .call(new Survey(Await.ALL, SECONDS.toNanos(30)));
  }

  private static void awaitCount(LinkCounters counters, String kind) {
    while (counters.count(kind) == 0) {
      Thread.onSpinWait();
    }
  }

  private void assertOthersAreServed() throws CertificateException {
    ClientCredentials alice =
        ClientCredentials.tls(town.issueClient("alice", now), town.certificate(), KeyEpochs.FIRST);
    assertThat(ping(connect(alice, server.address())).join().of(S0).claimed()).isEqualTo(1);
  }

  @Test
  void pingsBetweenMembersOfOneCluster() throws CertificateException {
    assertOthersAreServed();
    assertThat(server.counters().counts()).isEmpty();
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void refusesAClientOfAnotherAuthorityEvenOfTheSameName() throws CertificateException {
    CertificateAuthority twin = authority("town");
    NettyClient stranger =
        connect(
            ClientCredentials.tls(
                twin.issueClient("alice", now), twin.certificate(), KeyEpochs.FIRST),
            server.address());
    CompletableFuture<SurveyResult> unanswered = ping(stranger);
    awaitCount(stranger.counters(), "tls");
    assertThat(unanswered).isNotDone();
    assertOthersAreServed();
  }

  @Test
  void refusesAClientCertificateOfAnotherAuthority() throws CertificateException {
    TlsIdentity foreign = authority("town").issueClient("alice", now);
    assertThatThrownBy(() -> ClientCredentials.tls(foreign, town.certificate(), KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("not of the cluster's authority");
    NettyClient stranger =
        connect(
            ClientCredentials.tls(foreign, trusted(), "town", "alice", KeyEpochs.FIRST),
            server.address());
    CompletableFuture<SurveyResult> unanswered = ping(stranger);
    awaitCount(server.counters(), "tls");
    assertThat(unanswered).isNotDone();
    assertThat(server.connections()).isZero();
    assertOthersAreServed();
  }

  @Test
  void refusesAServersCertificateInAClientsHand() throws CertificateException {
    TlsIdentity ofServer = town.issueServer(1, HOSTS, now);
    assertThatThrownBy(() -> ClientCredentials.tls(ofServer, town.certificate(), KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class);
    NettyClient impostor =
        connect(
            ClientCredentials.tls(ofServer, trusted(), "town", "s1", KeyEpochs.FIRST),
            server.address());
    CompletableFuture<SurveyResult> unanswered = ping(impostor);
    awaitCount(server.counters(), "tls");
    assertThat(unanswered).isNotDone();
    assertThat(server.connections()).isZero();
    assertOthersAreServed();
  }

  @Test
  void aClientTurnsAwayFromAnotherServerThanItDialled() throws CertificateException {
    ClientCredentials alice =
        ClientCredentials.tls(town.issueClient("alice", now), town.certificate(), KeyEpochs.FIRST);
    // The second address should be that of s1, and s0 listens there.
    NettyClient client = connect(alice, server.address(), server.address());
    awaitCount(client.counters(), "tls");
    assertThat(client.counters().count("tls")).isPositive();
    assertOthersAreServed();
  }

  /** The three steps of docs/operations.md: trust both, change certificates, trust the new one. */
  @Test
  void goesOverToAnotherAuthorityWithoutAPause() throws CertificateException {
    CertificateAuthority next = authority("town");
    List<X509Certificate> both = List.of(town.certificate(), next.certificate());
    TlsIdentity oldClient = town.issueClient("alice", now);
    TlsIdentity newClient = next.issueClient("alice", now);
    NettyClient client =
        connect(
            ClientCredentials.tls(oldClient, town.certificate(), KeyEpochs.FIRST),
            server.address());
    assertIsServed(client);
    server.use(ServerCredentials.tls(town.issueServer(0, HOSTS, now), both, S0));
    assertThat(server.connections()).isEqualTo(1);
    renew(client, ClientCredentials.tls(oldClient, both, KeyEpochs.FIRST));
    server.use(ServerCredentials.tls(next.issueServer(0, HOSTS, now), both, S0));
    renew(client, ClientCredentials.tls(newClient, both, KeyEpochs.FIRST));
    server.use(ServerCredentials.tls(next.issueServer(0, HOSTS, now), next.certificate(), S0));
    assertThat(server.connections()).isEqualTo(1);
    renew(client, ClientCredentials.tls(newClient, next.certificate(), KeyEpochs.FIRST));
    assertThat(server.counters().count("untrusted")).isZero();
  }

  @Test
  void endsConnectionsOfAnAuthorityThatIsTrustedNoLonger() throws CertificateException {
    CertificateAuthority next = authority("town");
    NettyClient client =
        connect(
            ClientCredentials.tls(
                town.issueClient("alice", now), town.certificate(), KeyEpochs.FIRST),
            server.address());
    assertIsServed(client);
    server.use(ServerCredentials.tls(next.issueServer(0, HOSTS, now), next.certificate(), S0));
    awaitCount(server.counters(), "untrusted");
    while (server.connections() > 0) {
      Thread.onSpinWait();
    }
  }

  private void renew(NettyClient client, ClientCredentials credentials) {
    Endpoint place = new Endpoint("127.0.0.1", server.address().getPort());
    client.replace(List.of(place), credentials).join();
    assertThat(client.renewed()).isEqualTo(1);
    assertIsServed(client);
  }

  private static void assertIsServed(NettyClient client) {
    assertThat(ping(client).join().of(S0).claimed()).isEqualTo(1);
  }

  @Test
  void takesNoCertificateAndNoAuthorityThatDoNotFit() {
    TlsIdentity alice = town.issueClient("alice", now);
    assertThatThrownBy(
            () ->
                ClientCredentials.tls(
                    alice,
                    List.of(town.certificate(), authority("village").certificate()),
                    KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("village");
    assertThatThrownBy(
            () -> ClientCredentials.tls(alice, List.of(alice.certificate()), KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class);
    TlsIdentity expired = town.issueClient("alice", now.minus(Duration.ofDays(4_000)));
    assertThatThrownBy(() -> ClientCredentials.tls(expired, town.certificate(), KeyEpochs.FIRST))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aServerTakesOnlyItsOwnCertificate() {
    TlsIdentity ofS0 = town.issueServer(0, HOSTS, now);
    assertThatThrownBy(() -> ServerCredentials.tls(ofS0, town.certificate(), S1))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("s0");
  }
}
