package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Field;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that ask for much and read nothing. */
@Timeout(120)
class UnreadAnswersTest {
  private static final ServerId S0 = new ServerId(0);
  private static final String CLUSTER = "town";
  private static final int MEBIBYTE = 1 << 20;

  /**
   * Answers for each of four connections: a multiple of what the server may keep and the system
   * buffers.
   */
  private static final int ASKED = 400;

  private static final int REFUSED_AT_LEAST = 1_400;

  /** A question if it is short. */
  private record Bulk(Bytes bytes) implements Message {}

  private static final WireTypes TYPES =
      WireTypes.of(
          WireType.of(
              900, Bulk.class, 2 * MEBIBYTE, Schema.of(Field.bytes(1, Bulk::bytes), Bulk::new)));
  private static final FrameCodec CODEC = new FrameCodec(TYPES, WireLimits.AUTHENTICATED);

  private static final class Generous extends Machine<ClientId> {
    Generous() {
      Bulk answer = new Bulk(Bytes.copyOf(new byte[MEBIBYTE]));
      onMessage(Bulk.class, (from, question) -> send(from, answer));
    }
  }

  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, S0)),
          Gate.everybody(),
          LinkLimits.standard(),
          TYPES);
  private final List<RawPeer> peers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server.add(Generous::new, loop -> Ledger.none(), event -> {}, broken -> {});
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

  private RawPeer ask(String principal, long session, int times) throws Exception {
    RawPeer peer = new RawPeer(server.address());
    peers.add(peer);
    FrameGuard guard =
        peer.authenticate(secrets.clientKeyring(CLUSTER, principal, 1, Set.of()), S0, session);
    Envelope question = new Envelope(1, new Bulk(Bytes.EMPTY));
    byte[] frame = CODEC.encode(Collections.nCopies(times, question));
    peer.sendFrame(RawPeer.sealed(guard, frame));
    if (times == 1) {
      peer.awaitAnswer(guard);
    }
    return peer;
  }

  @Test
  void keepsABoundedPartOfThemForAllConnectionsOfAPrincipalTogether() throws Exception {
    for (int session = 1; session <= 4; session++) {
      RawPeer unused = ask("mallory", session, ASKED);
      assertThat(unused).isNotNull();
    }
    long most =
        OutputBudget.CONNECTIONS_PER_PRINCIPAL * (long) LinkLimits.standard().pendingBytes();
    while (server.counters().count(Refusals.UNREAD) < REFUSED_AT_LEAST) {
      assertThat(server.unreadBytes()).isLessThanOrEqualTo(most);
      Thread.onSpinWait();
    }
    assertThat(server.unreadBytes()).isPositive().isLessThanOrEqualTo(most);
    ask("alice", 9, 1).close();
    for (RawPeer peer : peers) {
      peer.close();
    }
    while (server.unreadBytes() > 0) {
      Thread.onSpinWait(); // Nothing stays counted of connections that are gone.
    }
  }
}
