package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does with peers that have keys, and misbehave. */
@Timeout(60)
class HostileMembersTest {
  private static final ServerId S0 = new ServerId(0);
  private static final String CLUSTER = "town";
  private static final LinkLimits LIMITS =
      LinkLimits.standard().withTimes(20_000, 300, 20_000).withConnections(64, 64, 4);

  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, S0)),
          Gate.everybody(),
          LIMITS,
          PingTypes.ALL);
  private final List<RawPeer> peers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server.add(
        () -> new PingServer(S0, 1),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() throws IOException {
    for (RawPeer peer : peers) {
      peer.close();
    }
    server.close();
    loops.close();
    secrets.close();
  }

  private RawPeer connect() throws IOException {
    RawPeer peer = new RawPeer(server.address());
    peers.add(peer);
    return peer;
  }

  private ClientKeyring keysOf(String principal) {
    return secrets.clientKeyring(CLUSTER, principal, 1, Set.of());
  }

  /** What a correct client gets, whatever others do meanwhile. */
  private void assertOthersAreServed() {
    try (NettyClient client =
        NettyClient.connect(
            List.of(server.address()),
            ClientCredentials.hmac(keysOf("alice")),
            LinkLimits.standard(),
            PingTypes.ALL)) {
      client
          .start(
              new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
              event -> {})
          .call(new Survey(Await.ALL, SECONDS.toNanos(30)))
          .join();
    }
  }

  private void assertRefused(RawPeer peer, String kind) throws IOException {
    peer.assertClosed();
    assertThat(server.counters().counts()).containsOnlyKeys(kind);
    assertOthersAreServed();
  }

  @Test
  void answersARawPeerThatDoesEverythingRight() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    peer.sendFrame(RawPeer.sealedPing(guard, 1));
    peer.awaitAnswer(guard);
    assertThat(server.counters().counts()).isEmpty();
  }

  @Test
  void refusesAFrameWithAFlippedBit() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    byte[] frame = RawPeer.sealedPing(guard, 1);
    frame[frame.length / 2] ^= 1;
    peer.sendFrame(frame);
    assertRefused(peer, "bad-mac");
  }

  @Test
  void refusesAReplayedFrame() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    byte[] frame = RawPeer.sealedPing(guard, 1);
    peer.sendFrame(frame);
    peer.awaitAnswer(guard);
    peer.sendFrame(frame);
    assertRefused(peer, "replay");
  }

  @Test
  void refusesAFrameOfAnotherSession() throws IOException, ChannelException {
    RawPeer other = connect();
    FrameGuard otherGuard = other.authenticate(keysOf("mallory"), S0, 1);
    RawPeer peer = connect();
    FrameGuard unused = peer.authenticate(keysOf("mallory"), S0, 2);
    assertThat(unused.overhead()).isPositive();
    peer.sendFrame(RawPeer.sealedPing(otherGuard, 1));
    assertRefused(peer, "bad-mac");
  }

  @Test
  void refusesAFrameThatIsShorterThanItsCode() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard unused = peer.authenticate(keysOf("mallory"), S0, 1);
    assertThat(unused.overhead()).isGreaterThan(3);
    peer.sendFrame(new byte[3]);
    assertRefused(peer, "malformed");
  }

  @Test
  void refusesAMemberThatAnnouncesTooMuch() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    int tooMuch = WireLimits.AUTHENTICATED.frameBytes() + guard.overhead() + 1;
    peer.send(ByteBuffer.allocate(Integer.BYTES).putInt(tooMuch).array());
    assertRefused(peer, "oversize");
  }

  @Test
  void refusesAMemberThatDribbles() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    byte[] frame = RawPeer.sealedPing(guard, 1);
    peer.send(ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array());
    assertRefused(peer, Refusals.SLOW_FRAME);
  }

  @Test
  void refusesGarbageUnderAValidCode() throws IOException, ChannelException {
    RawPeer peer = connect();
    FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, 1);
    peer.sendFrame(RawPeer.sealed(guard, new byte[] {1, 1, 1, 40, 9}));
    assertRefused(peer, "truncated");
  }

  @Test
  void takesNoMoreConnectionsOfAPrincipalThanAllowed() throws IOException, ChannelException {
    for (int session = 1; session <= 4; session++) {
      RawPeer peer = connect();
      FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, session);
      peer.sendFrame(RawPeer.sealedPing(guard, 1));
      peer.awaitAnswer(guard);
    }
    RawPeer fifth = connect();
    FrameGuard unused = fifth.authenticate(keysOf("mallory"), S0, 5);
    assertThat(unused.overhead()).isPositive();
    assertRefused(fifth, Refusals.TOO_MANY);
  }

  @Test
  void keepsNothingOfManyBadConnections() throws IOException, ChannelException {
    int rounds = 200;
    for (int i = 0; i < rounds; i++) {
      try (RawPeer peer = new RawPeer(server.address())) {
        FrameGuard guard = peer.authenticate(keysOf("mallory"), S0, i);
        byte[] frame = RawPeer.sealedPing(guard, 1);
        frame[0] ^= 1;
        peer.sendFrame(frame);
        peer.assertClosed();
      }
    }
    assertThat(server.counters().count("bad-mac")).isEqualTo(rounds);
    while (server.connections() > 0) {
      Thread.onSpinWait(); // The peer sees the end a little before the server has tidied up.
    }
    assertOthersAreServed();
  }
}
