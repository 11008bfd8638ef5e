package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers GET requests, one for each connection. Whoever is slow stalls nobody: where there are as
 * many askers as may be, the one goes that has been longest at its question, and all have to be
 * done in a while.
 */
public final class SmallHttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SmallHttpServer.class);

  /** As many are served at a time; a thread each. */
  static final int MAX_ASKERS = 64;

  /** The longest head of a request, in bytes. */
  static final int MAX_HEAD = 8_192;

  private static final String END = "\r\n\r\n";
  private static final int NOT_ALLOWED = 405;
  private static final int BAD_REQUEST = 400;
  private static final int MISDIRECTED = 421;
  private static final String TEXT = "text/plain; charset=utf-8";

  /**
   * An answer.
   *
   * @param policy what a browser that shows it may load: its Content-Security-Policy
   */
  public record Answer(int code, String type, String body, String policy) {
    /** What a browser may show, but not use. */
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

    public Answer(int code, String type, String body) {
      this(code, type, body, NOTHING);
    }
  }

  private final ServerSocket listener;
  private final HostCheck hosts;
  private final Function<String, Answer> answers;
  private final Duration deadline;
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(1, task -> thread(task, "testudo-admin-clock"));

  /** In the order in which they came; guarded by this. */
  private final Set<Asker> askers = new LinkedHashSet<>();

  private boolean closed;

  /** Somebody who asks. */
  private final class Asker implements Runnable {
    private final Socket socket;

    /** Guarded by the server. */
    private boolean hasAsked;

    Asker(Socket socket) {
      this.socket = socket;
    }

    @Override
    public void run() {
      try (socket) {
        String head = question(socket.getInputStream());
        synchronized (SmallHttpServer.this) {
          hasAsked = true;
        }
        answer(head);
      } catch (IOException e) {
        LOG.debug("an asker has gone, or was too slow", e);
      } catch (RuntimeException e) {
        LOG.error("an admin request failed", e);
      } finally {
        synchronized (SmallHttpServer.this) {
          askers.remove(this);
        }
      }
    }

    private void answer(String head) throws IOException {
      String[] words = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
      Answer answer;
      if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
        answer = new Answer(BAD_REQUEST, TEXT, "no request\n");
      } else if (!words[0].equals("GET")) {
        answer = new Answer(NOT_ALLOWED, TEXT, "only GET\n");
      } else if (!hosts.allows(head)) {
        answer = new Answer(MISDIRECTED, TEXT, "ask by an IP address, or as localhost\n");
      } else {
        answer = answers.apply(words[1].split("\\?", 2)[0]);
      }
      byte[] body = answer.body().getBytes(UTF_8);
      socket.getOutputStream().write(head(answer, body.length).getBytes(ISO_8859_1));
      socket.getOutputStream().write(body);
      socket.shutdownOutput();
    }
  }

  /** Other sites may neither read nor frame what is answered, and nobody keeps it. */
  private static String head(Answer answer, int length) {
    return """
        HTTP/1.1 %d -\r
        Content-Type: %s\r
        Content-Length: %d\r
        Content-Security-Policy: %s\r
        X-Content-Type-Options: nosniff\r
        Cross-Origin-Resource-Policy: same-origin\r
        Referrer-Policy: no-referrer\r
        Cache-Control: no-store\r
        Connection: close\r
        \r
        """
        .formatted(answer.code(), answer.type(), length, answer.policy());
  }

  /** The head of a request, read to its end. */
  private static String question(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < END.length()
        || !head.substring(head.length() - END.length()).equals(END)) {
      int next = in.read();
      if (next < 0 || head.length() == MAX_HEAD) {
        throw new IOException("no whole request");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private SmallHttpServer(
      ServerSocket listener, HostCheck hosts, Function<String, Answer> answers, Duration deadline) {
    this.listener = listener;
    this.hosts = hosts;
    this.answers = answers;
    this.deadline = deadline;
    clock.setRemoveOnCancelPolicy(true);
  }

  /**
   * Starts to answer.
   *
   * @param answers to the path of a request; from several threads
   * @param deadline within which a request must have come and its answer must be taken
   */
  public static SmallHttpServer start(
      InetSocketAddress address, Function<String, Answer> answers, Duration deadline)
      throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(address);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    SmallHttpServer server =
        new SmallHttpServer(listener, HostCheck.of(address), answers, deadline);
    thread(server::accept, "testudo-admin").start();
    return server;
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        admit(new Asker(listener.accept()));
      } catch (IOException e) {
        LOG.debug("no connection came about", e);
      }
    }
  }

  private synchronized void admit(Asker asker) {
    if (closed) {
      drop(asker);
      return;
    }
    if (askers.size() >= MAX_ASKERS) {
      Asker slowest = askers.stream().filter(one -> !one.hasAsked).findFirst().orElse(oldest());
      askers.remove(slowest);
      drop(slowest);
    }
    askers.add(asker);
    var late = clock.schedule(() -> drop(asker), deadline.toMillis(), TimeUnit.MILLISECONDS);
    thread(
            () -> {
              asker.run();
              late.cancel(false);
            },
            "testudo-admin")
        .start();
  }

  private Asker oldest() {
    return askers.iterator().next();
  }

  /** Ends its connection; its thread ends with that. */
  private static void drop(Asker asker) {
    try {
      asker.socket.close();
    } catch (IOException e) {
      LOG.debug("a connection did not end well", e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      askers.forEach(SmallHttpServer::drop);
    }
    clock.shutdownNow();
    try {
      listener.close();
    } catch (IOException e) {
      LOG.debug("the listener did not end well", e);
    }
  }
}
