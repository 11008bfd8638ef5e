package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.ServerView.Standing;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that are reset in the middle, and peers that come back again and again. */
@Timeout(120)
class ResetsAndStormsTest {
  private static final String CLUSTER = "town";
  private static final int SERVERS = 4;
  private static final int HONEST = 3;
  private static final int VISITS = 5;
  private static final int PER_PRINCIPAL = 4;
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId LIAR = new ServerId(HONEST);

  /** Where no server listens. */
  private static final InetSocketAddress NOBODY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private static final Survey QUORUM = new Survey(Await.QUORUM, SECONDS.toNanos(100));

  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final List<NettyServer> servers = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    for (int index = 0; index < HONEST; index++) {
      ServerId id = new ServerId(index);
      NettyServer server =
          new NettyServer(
              loops,
              ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, id)),
              Gate.everybody(),
              LinkLimits.standard().withConnections(1_024, 1_024, PER_PRINCIPAL),
              PingTypes.ALL);
      servers.add(server);
      server.add(
          () -> new PingServer(id, SERVERS),
          loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
          event -> {},
          broken -> {});
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      addresses.add(server.address());
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(NettyServer::close);
    loops.close();
    secrets.close();
  }

  private ClientKeyring keysOf(String principal) {
    return secrets.clientKeyring(CLUSTER, principal, SERVERS, Set.of());
  }

  private NettyClient connect(List<InetSocketAddress> to) {
    return NettyClient.connect(
        to, ClientCredentials.hmac(keysOf("alice")), LinkLimits.standard(), PingTypes.ALL);
  }

  private static ClientMachine pinger(NettyClient client) {
    return client.start(
        new PingClient(Need.PING.thresholds(SERVERS, 1), 20_000_000L, Entropy.seeded(1)),
        event -> {});
  }

  @ParameterizedTest
  @EnumSource
  void aClientGoesOnWithTheOthersWhenAServerResetsItsConnections(RawServer.Deed deed)
      throws Exception {
    try (RawServer liar = new RawServer(secrets.serverKeyring(CLUSTER, LIAR), deed)) {
      addresses.add(liar.address());
      try (NettyClient client = connect(addresses)) {
        ClientMachine alice = pinger(client);
        // It comes back to the liar each time: a correct server may have had bad luck.
        while (liar.visits() < VISITS) {
          SurveyResult result = alice.call(QUORUM).join();
          assertThat(result.of(LIAR).standing()).isEqualTo(Standing.SILENT);
        }
        alice.call(QUORUM).join();
        assertThat(alice.call(QUORUM).join().servers().subList(0, HONEST))
            .allMatch(view -> view.standing() == Standing.KNOWN);
      }
    }
  }

  @Test
  void aServerServesTheOthersWhileAMemberComesBackAgainAndAgain() throws Exception {
    NettyServer stormed = servers.get(0);
    addresses.add(NOBODY);
    try (NettyClient client = connect(addresses)) {
      ClientMachine alice = pinger(client);
      for (int i = 0; i < 300; i++) {
        try (RawPeer mallory = new RawPeer(stormed.address())) {
          FrameGuard guard = mallory.authenticate(keysOf("mallory"), S0, 1);
          byte[] ping = RawPeer.sealedPing(guard, SERVERS);
          mallory.send(Arrays.copyOf(ping, ping.length / 2));
          mallory.reset();
        }
        alice.call(QUORUM).join();
      }
      alice.call(QUORUM).join();
      while (stormed.connections() > 1) {
        Thread.onSpinWait(); // The server may not have seen the last of the resets yet.
      }
      // Nothing of the storm is still counted: as many as are allowed get in, and answers.
      for (int session = 1; session <= PER_PRINCIPAL; session++) {
        assertIsServed(stormed, session);
      }
    }
  }

  private void assertIsServed(NettyServer server, int session) throws Exception {
    try (RawPeer mallory = new RawPeer(server.address())) {
      FrameGuard guard = mallory.authenticate(keysOf("mallory"), S0, session);
      mallory.sendFrame(RawPeer.sealedPing(guard, SERVERS));
      mallory.awaitAnswer(guard);
    }
  }
}
