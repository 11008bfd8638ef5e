package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
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
    NettyClient stranger =
        connect(
            ClientCredentials.tls(foreign, town.certificate(), KeyEpochs.FIRST), server.address());
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
            ClientCredentials.tls(ofServer, town.certificate(), "town", "s1", KeyEpochs.FIRST),
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

  @Test
  void aServerTakesOnlyItsOwnCertificate() {
    TlsIdentity ofS0 = town.issueServer(0, HOSTS, now);
    assertThatThrownBy(() -> ServerCredentials.tls(ofS0, town.certificate(), S1))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("s0");
  }
}
