package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.PooledByteBufAllocator;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of bad connections: what they cost is bounded, and nothing of them stays. */
@Timeout(180)
class FloodTest {
  private static final ServerId S0 = new ServerId(0);
  private static final String CLUSTER = "town";
  private static final int PER_ADDRESS = 64;

  /**
   * Bad connections of each kind, first to get to know the memory they need, then to see it flat.
   */
  private static final int FEW = 60;

  private static final int MANY = 1_000;

  /** A fraction of what one connection needs. */
  private static final int HEAP_PER_CONNECTION = 200;

  /** Less than any buffer; what the others just receive may count. */
  private static final int BUFFER_LEFT_PER_CONNECTION = 16;

  /** What the allocator asks of the system at a time. */
  private static final long ONE_CHUNK = PooledByteBufAllocator.DEFAULT.metric().chunkSize();

  /** The most that is kept of a message that has begun, buffers not full included. */
  private static final int BUFFER_PER_CONNECTION = 4_096;

  /** Linux has all of 127.0.0.0/8; attackers come from another corner than the others. */
  private InetAddress elsewhere = InetAddress.getLoopbackAddress();

  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final ClientKeyring malloryKeys = keysOf("mallory");
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, S0)),
          Gate.everybody(),
          LinkLimits.standard().withTimes(500, 500, 60_000).withConnections(256, PER_ADDRESS, 64),
          PingTypes.ALL);

  @BeforeEach
  void start() throws IOException {
    elsewhere = InetAddress.getByName("127.0.0.2");
    assumeTrue(isOurs(elsewhere), "this system has one loopback address");
    server.add(
        () -> new PingServer(S0, 1),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static boolean isOurs(InetAddress address) throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, address)) {
      return probe.isBound();
    } catch (SocketException e) {
      return false;
    }
  }

  @AfterEach
  void stop() {
    server.close();
    loops.close();
    secrets.close();
  }

  private ClientKeyring keysOf(String principal) {
    return secrets.clientKeyring(CLUSTER, principal, 1, Set.of());
  }

  private NettyClient connect(String principal) {
    return NettyClient.connect(
        List.of(server.address()),
        ClientCredentials.hmac(keysOf(principal)),
        LinkLimits.standard(),
        PingTypes.ALL);
  }

  private static ClientMachine pinger(NettyClient client) {
    return client.start(
        new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)), event -> {});
  }

  private static void ask(ClientMachine pinger) {
    pinger.call(new Survey(Await.ALL, SECONDS.toNanos(120))).join();
  }

  private void assertNewcomerIsServed() {
    try (NettyClient newcomer = connect("newcomer")) {
      ask(pinger(newcomer));
    }
  }

  private static long usedDirectMemory() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  /** One after the other, so that none is refused for their number. */
  private void abuse(Abuse abuse, int times, ClientMachine honest)
      throws IOException, ChannelException {
    for (int i = 0; i < times; i++) {
      try (RawPeer peer = new RawPeer(server.address(), elsewhere)) {
        abuse.commit(peer, malloryKeys);
        peer.assertClosed();
      }
      ask(honest);
    }
  }

  /** A handler outlives its connection by what the loop still has to do about its end. */
  private static void awaitHandshakes(int most) throws JMException {
    while (LiveObjects.now().of(HandshakeHandler.class) > most) {
      Thread.onSpinWait();
    }
  }

  /** The peer sees the end a little before the server has tidied up. */
  private void awaitConnections(int count) {
    while (server.connections() > count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void keepsNothingOfThem() throws Exception {
    EnumSet<Abuse> quick = EnumSet.complementOf(EnumSet.of(Abuse.SILENT, Abuse.SLOW));
    try (Logged log = new Logged(LinkCounters.class);
        NettyClient client = connect("alice")) {
      ClientMachine alice = pinger(client);
      for (Abuse abuse : quick) {
        abuse(abuse, FEW, alice);
      }
      awaitConnections(1);
      LiveObjects before = LiveObjects.now();
      long directBefore = usedDirectMemory();
      long pinnedBefore = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
      for (Abuse abuse : quick) {
        abuse(abuse, MANY, alice);
      }
      awaitConnections(1);
      LiveObjects after = LiveObjects.now();

      for (Class<?> type :
          List.of(FrameSplitter.class, HandshakeHandler.class, Upkeep.class, Link.class)) {
        assertThat(after.of(type)).as(type.getSimpleName()).isLessThanOrEqualTo(before.of(type));
      }
      assertThat(after.of(Loops.channel())).isLessThanOrEqualTo(before.of(Loops.channel()));
      assertThat(after.allBytes() - before.allBytes())
          .isLessThan((long) HEAP_PER_CONNECTION * MANY * quick.size());
      assertThat(usedDirectMemory() - directBefore).isLessThanOrEqualTo(ONE_CHUNK);
      assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() - pinnedBefore)
          .isLessThan((long) BUFFER_LEFT_PER_CONNECTION * MANY * quick.size());
      for (Abuse abuse : quick) {
        assertThat(server.counters().counts()).containsEntry(abuse.refusal(), (long) FEW + MANY);
        assertThat(log.lines()).filteredOn(line -> line.startsWith(abuse.refusal())).hasSize(1);
      }
      assertThat(log.lines()).hasSameSizeAs(quick);
      assertNewcomerIsServed();
    }
  }

  @Test
  void boundsWhatThoseCostThatStay() throws Exception {
    try (Logged log = new Logged(LinkCounters.class);
        NettyClient client = connect("alice")) {
      ClientMachine alice = pinger(client);
      ask(alice);
      for (int number : new int[] {PER_ADDRESS, 10 * PER_ADDRESS}) {
        List<RawPeer> peers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
          RawPeer peer = new RawPeer(server.address(), elsewhere);
          peers.add(peer);
          try {
            (i % 2 == 0 ? Abuse.SLOW : Abuse.SILENT).commit(peer, malloryKeys);
          } catch (SocketException refused) {
            // One too many.
          }
          ask(alice);
        }
        awaitHandshakes(PER_ADDRESS);
        assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory())
            .isLessThanOrEqualTo((long) PER_ADDRESS * BUFFER_PER_CONNECTION);
        assertNewcomerIsServed();
        for (RawPeer peer : peers) {
          peer.assertClosed();
          peer.close();
        }
      }
      assertThat(
              server.counters().count(Refusals.HANDSHAKE_TIMEOUT)
                  + server.counters().count(Refusals.TOO_MANY))
          .isEqualTo(11L * PER_ADDRESS);
      assertThat(log.lines()).hasSize(2);
      assertNewcomerIsServed();
    }
  }
}
