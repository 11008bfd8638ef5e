package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.spi.Entropy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever gets no answer hears what is wrong with each server. */
@Timeout(120)
class ConnectionTroubleTest {
  private static final Thresholds FOUR = Need.PING.thresholds(4, 1);
  private static final ClusterSecrets SECRETS = ClusterSecrets.create(new SecureRandom());
  private static final long RETRY_NANOS = 20_000_000L;
  private static final LinkLimits LIMITS = LinkLimits.standard().withTimes(300, 10_000, 60_000);
  private static final Survey SHORT = new Survey(Await.QUORUM, 50_000_000L);

  private static InetSocketAddress refusing() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) closed.getLocalSocketAddress();
    }
  }

  private static Endpoint endpoint(InetSocketAddress address) {
    return new Endpoint(
        address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress(),
        address.getPort());
  }

  private static NettyClient connect(InetSocketAddress... servers) {
    return NettyClient.connect(
        null,
        Stream.of(servers).map(ConnectionTroubleTest::endpoint).toList(),
        (host, port) -> {
          throw new UnknownHostException(host); // All others are addresses.
        },
        ClientCredentials.hmac(SECRETS.clientKeyring("cluster", "alice", 4, Set.of())),
        LIMITS,
        PingTypes.ALL);
  }

  private static NoQuorumException failureOf(ClientMachine pinger) throws Exception {
    try {
      throw new AssertionError("it gave " + pinger.call(SHORT).get());
    } catch (ExecutionException e) {
      return (NoQuorumException) Objects.requireNonNull(e.getCause());
    }
  }

  private static ClientMachine pinger(NettyClient client) {
    return client.start(new PingClient(FOUR, RETRY_NANOS, Entropy.seeded(1)), event -> {});
  }

  /** Asks until what is known of a server is no longer the beginning. */
  private static NoQuorumException failureOnceKnown(ClientMachine pinger, String... wanted)
      throws Exception {
    while (true) {
      NoQuorumException failure = failureOf(pinger);
      boolean all = true;
      for (int index = 0; index < wanted.length; index++) {
        String reason = failure.reasons().get(new ServerId(index));
        all &= reason != null && reason.contains(wanted[index]);
      }
      if (all) {
        return failure;
      }
    }
  }

  @Test
  void tellsARefusedPortAnUnknownHostASilentAndAClosingServerApart() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        NettyClient client =
            connect(
                refusing(),
                InetSocketAddress.createUnresolved("nowhere", 1),
                (InetSocketAddress) silent.getLocalSocketAddress(),
                (InetSocketAddress) closing.getLocalSocketAddress())) {
      Thread closer = new Thread(() -> closeAll(closing));
      closer.start();
      NoQuorumException failure =
          failureOnceKnown(
              pinger(client),
              "cannot be reached: Connection refused",
              "cannot be reached: nobody knows the host 'nowhere'",
              "did not show who it is",
              "ended the connection before it had shown who it is");
      assertThat(failure)
          .hasMessageContaining("0 of 4 servers answered, 3 are needed (s0 cannot be reached: ");
      assertThat(client.counters().count(Refusals.HANDSHAKE_TIMEOUT)).isPositive();
      assertThat(client.states()).hasSize(4);
    }
  }

  /** As a server does that speaks TLS, when it meets a client that does not. */
  private static void closeAll(ServerSocket server) {
    while (true) {
      try (Socket socket = server.accept()) {
        int unused = socket.getInputStream().read(new byte[1_024]);
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  @Test
  void countsNoHandshakeThatNeverBegan() throws Exception {
    InetSocketAddress refusing = refusing();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        NettyClient client =
            connect(
                refusing, refusing, refusing, (InetSocketAddress) silent.getLocalSocketAddress())) {
      // The silent one is left when the others would have been, too.
      NoQuorumException unused =
          failureOnceKnown(pinger(client), "refused", "refused", "refused", "did not show");
      assertThat(client.counters().count(Refusals.HANDSHAKE_TIMEOUT)).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void namesOnlyThoseThatDidNotAnswer() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(4, PingTypes.ALL, id -> List.of(new PingServer(id, 4)))) {
      NettyClient client = cluster.client("alice");
      cluster.stop(new ServerId(1));
      cluster.stop(new ServerId(2));
      ClientMachine pinger = pinger(client);
      NoQuorumException failure = failureOf(pinger);
      while (failure.answered().size() < 2) { // The connections come about meanwhile.
        failure = failureOf(pinger);
      }
      assertThat(failure.reasons()).containsOnlyKeys(new ServerId(1), new ServerId(2));
    }
  }
}
