package io.testudo.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.measure.Completion;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that answer when the test says so. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FloorSessionTest {
  private static final int SERVERS = 3;

  private final List<ServerSocket> servers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final List<Socket> accepted = new ArrayList<>();

  @BeforeEach
  void listens() throws IOException {
    for (int i = 0; i < SERVERS; i++) {
      ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      servers.add(server);
      ports.add(server.getLocalPort());
    }
  }

  @AfterEach
  void closes() throws IOException {
    for (Socket socket : accepted) {
      socket.close();
    }
    for (ServerSocket server : servers) {
      server.close();
    }
  }

  private Socket accept(int server) throws IOException {
    Socket socket = servers.get(server).accept();
    accepted.add(socket);
    return socket;
  }

  private static byte[] read(Socket socket) throws IOException {
    byte[] frame = new byte[FloorFrames.FRAME_BYTES];
    new DataInputStream(socket.getInputStream()).readFully(frame);
    return frame;
  }

  private static final class Recorded implements Completion {
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    @Override
    public void done() {
      outcome.complete(null);
    }

    @Override
    public void failed(Throwable cause) {
      outcome.completeExceptionally(cause);
    }
  }

  @Test
  void isDoneWithTheAwaitedAnswersAndIgnoresLateOnes() throws Exception {
    try (FloorSession session = FloorSession.connect(ports, 2, 2, Connections.SHARED)) {
      List<Socket> sockets = List.of(accept(0), accept(1), accept(2));
      Recorded first = new Recorded();
      session.start(0, first);
      List<byte[]> requests = List.of(read(sockets.get(0)), read(sockets.get(1)));
      byte[] late = read(sockets.get(2));
      sockets.get(0).getOutputStream().write(requests.get(0));
      sockets.get(1).getOutputStream().write(requests.get(1));
      first.outcome.get();

      Recorded second = new Recorded();
      session.start(0, second);
      byte[] next = read(sockets.get(0));
      byte[] sameFromAnother = read(sockets.get(1));
      // The late answer and one of the awaited two, over a connection that keeps their order.
      sockets.get(2).getOutputStream().write(late);
      sockets.get(2).getOutputStream().write(read(sockets.get(2)));
      // What follows arrives later still, and its operation cannot end before.
      Recorded other = new Recorded();
      session.start(1, other);
      sockets.get(2).getOutputStream().write(read(sockets.get(2)));
      sockets.get(1).getOutputStream().write(read(sockets.get(1)));
      other.outcome.get();
      assertThat(second.outcome).isNotDone();
      sockets.get(0).getOutputStream().write(next);
      second.outcome.get();
      assertThat(sameFromAnother).isEqualTo(next);
    }
  }

  @Test
  void opensOneConnectionToEachServerForAllClientsOrForEach() throws Exception {
    FloorSession.connect(ports, 4, 2, Connections.SHARED).close();
    FloorSession.connect(ports, 4, 2, Connections.SEPARATE).close();
    for (int i = 0; i < SERVERS; i++) {
      for (int connection = 0; connection < 1 + 4; connection++) {
        accept(i);
      }
      ServerSocket server = servers.get(i);
      server.setSoTimeout(1);
      assertThatThrownBy(server::accept)
          .as("one connection more to server %d", i)
          .isInstanceOf(SocketTimeoutException.class);
    }
  }
}
