package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.spi.Entropy;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does with connections that are not what they should be. */
@Timeout(60)
class HostilePeersTest {
  private static final ServerId S0 = new ServerId(0);
  private static final LinkLimits LIMITS =
      LinkLimits.standard().withTimes(300, 300, 2_000).withConnections(20, 8, 4);

  private final EmbeddedCluster cluster =
      EmbeddedCluster.start(1, PingTypes.ALL, id -> List.of(new PingServer(id, 1)), LIMITS);
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    cluster.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(cluster.address(S0).getAddress(), cluster.address(S0).getPort());
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  private static void sendFrame(Socket socket, byte[] frame) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(frame.length);
    out.write(frame);
    out.flush();
  }

  /** Waits until the other side has closed; whatever it says before is passed over. */
  private static void assertClosed(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        // Not yet.
      }
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  private long counted(String kind) {
    return cluster.server(S0).counters().count(kind);
  }

  private void assertOthersAreServed() {
    NettyClient client = cluster.client("alice");
    ClientMachine alice =
        client.start(
            new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
            event -> {});
    alice.call(new Survey(Await.ALL, SECONDS.toNanos(30))).join();
    client.close();
  }

  @Test
  void closesOnAnAnnouncementOfTooMuchBeforeItKeepsAnything() throws IOException {
    Socket socket = connect();
    send(socket, new byte[] {0x7f, -1, -1, -1});
    assertClosed(socket);
    assertThat(counted("oversize")).isEqualTo(1);
    assertOthersAreServed();
  }

  @Test
  void closesOnANegativeLength() throws IOException {
    Socket socket = connect();
    send(socket, new byte[] {-1, -1, -1, -1, 1, 2, 3});
    assertClosed(socket);
    assertThat(counted("oversize")).isEqualTo(1);
  }

  @Test
  void closesOnGarbageInPlaceOfAHandshake() throws IOException {
    Socket socket = connect();
    sendFrame(socket, new byte[] {1, 2, 3, 4, 5, 6, 7});
    assertClosed(socket);
    assertThat(cluster.server(S0).counters().counts()).hasSize(1);
    assertOthersAreServed();
  }

  @Test
  void closesOnAConnectionThatSaysNothing() throws IOException {
    assertClosed(connect());
    assertThat(counted(Refusals.HANDSHAKE_TIMEOUT)).isEqualTo(1);
  }

  @Test
  void closesOnAConnectionThatDribbles() throws IOException {
    Socket socket = connect();
    send(socket, new byte[] {0, 0, 0, 100, 1});
    assertClosed(socket);
    assertThat(counted(Refusals.HANDSHAKE_TIMEOUT)).isEqualTo(1);
    assertOthersAreServed();
  }

  @Test
  void keepsNoMoreStrangersFromOneAddressThanAllowedAndTheNewest() throws IOException {
    for (int i = 0; i < 9; i++) {
      connect();
    }
    assertClosed(sockets.get(0));
    assertThat(counted(Refusals.TOO_MANY)).isPositive();
  }

  @Test
  void strangersDoNotLockMembersOut() throws IOException {
    // However slow this machine is, they do not go by themselves.
    cluster.server(S0).replaceLimits(LIMITS.withTimes(60_000, 300, 2_000));
    for (int i = 0; i < 8; i++) {
      connect();
    }
    assertOthersAreServed();
    assertThat(counted(Refusals.TOO_MANY)).as("a stranger had to go").isPositive();
  }
}
