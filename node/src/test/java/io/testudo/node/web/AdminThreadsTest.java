package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.web.SmallHttpServer.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Askers of the admin address, over real sockets. */
@Timeout(60)
class AdminThreadsTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final List<Socket> sockets = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void end() throws IOException {
    over.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Answer answer(String path) {
    if (path.equals("/slow")) {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return new Answer(200, "text/plain", "ok " + path);
  }

  private SmallHttpServer start(Duration deadline) throws IOException {
    return SmallHttpServer.start(ANY, this::answer, deadline);
  }

  private Socket ask(SmallHttpServer server, String request) throws IOException {
    Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
    sockets.add(socket);
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    return socket;
  }

  private static String read(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  @Test
  void slowAskersDoNotStallTheNext() throws IOException {
    try (SmallHttpServer server = start(NEVER)) {
      for (int i = 0; i < 2 * SmallHttpServer.MAX_ASKERS; i++) {
        ask(server, "GET /livez HTTP/1.1\r\nHost: ");
      }
      assertThat(read(ask(server, get("/livez?verbose"))))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("\r\n\r\nok /livez");
    }
  }

  @Test
  void thoseWhoseAnswersTakeLongDoNotStallTheNext() throws IOException {
    try (SmallHttpServer server = start(NEVER)) {
      for (int i = 0; i < 2 * SmallHttpServer.MAX_ASKERS; i++) {
        ask(server, get("/slow"));
      }
      assertThat(read(ask(server, get("/livez")))).endsWith("ok /livez");
    }
  }

  @Test
  void thoseWhoAreNotDoneInTimeAreCutOff() throws IOException {
    try (SmallHttpServer server = start(Duration.ofMillis(50))) {
      Socket slow = ask(server, "GET /livez HTTP/1.1\r\n");
      assertThat(slow.getInputStream().read()).as("the end").isEqualTo(-1);
    }
  }

  @Test
  void pagesOfOtherSitesCannotAskByTheirOwnName() throws IOException {
    try (SmallHttpServer server = start(NEVER)) {
      String rebound = "GET /status HTTP/1.1\r\nHost: evil.example:8001\r\n\r\n";
      assertThat(read(ask(server, rebound))).startsWith("HTTP/1.1 421 ").doesNotContain("ok /");
      assertThat(read(ask(server, rebound.replace("evil.example", "127.0.0.1"))))
          .startsWith("HTTP/1.1 200 ")
          .contains("X-Content-Type-Options: nosniff", "frame-ancestors 'none'");
    }
  }

  @Test
  void nonsenseIsRefused() throws IOException {
    try (SmallHttpServer server = start(NEVER)) {
      assertThat(read(ask(server, "POST /livez HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 405 ");
      assertThat(read(ask(server, "hello\r\n\r\n"))).startsWith("HTTP/1.1 400 ");
      assertThat(read(ask(server, get("/livez").stripTrailing() + "\r\n\r\n"))).contains("200");
    }
  }
}
