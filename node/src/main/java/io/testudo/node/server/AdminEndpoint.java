package io.testudo.node.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.testudo.node.CommandException;
import io.testudo.node.JsonLines;
import io.testudo.node.Version;
import io.testudo.quorum.cluster.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators and their programs ask over HTTP: {@code /livez}, {@code /readyz}, {@code
 * /metrics} and {@code /status}. It shows no secret and changes nothing, but anybody who reaches it
 * may read it: so it listens on loopback unless told otherwise.
 */
final class AdminEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminEndpoint.class);
  private static final int BACKLOG = 64;

  /** A thread reads a request, so as many slow askers stall nobody; they have not long, either. */
  static final int THREADS = 64;

  private static final long IDLE_SECONDS = 10;
  private static final int OK = 200;
  private static final int NOT_ALLOWED = 405;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  /** In seconds; read once, when the first server of a process is made. */
  private static final String MAX_REQUEST_TIME = "sun.net.httpserver.maxReqTime";

  private final HttpServer http;
  private final ExecutorService threads;

  /** An answer. */
  private record Answer(int code, String type, String body) {}

  private AdminEndpoint(HttpServer http, ExecutorService threads) {
    this.http = http;
    this.threads = threads;
  }

  static AdminEndpoint start(Endpoint endpoint, ServerNode node) {
    if (System.getProperty(MAX_REQUEST_TIME) == null) {
      System.setProperty(MAX_REQUEST_TIME, "2"); // Slow askers must not keep the threads.
    }
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.getAddress() != null && !address.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "the admin address {} is no loopback address: all who reach it can read it", address);
    }
    try {
      HttpServer http = HttpServer.create(address, BACKLOG);
      ExecutorService threads = threads();
      http.setExecutor(threads);
      serve(http, "/livez", () -> health(node));
      serve(http, "/readyz", () -> readiness(node));
      serve(http, "/metrics", () -> new Answer(OK, Metrics.CONTENT_TYPE, Metrics.of(node)));
      serve(http, "/status", () -> new Answer(OK, JSON, JsonLines.line(status(node)) + "\n"));
      serve(http, "/", () -> new Answer(NOT_FOUND, TEXT, "/livez /readyz /metrics /status\n"));
      http.start();
      return new AdminEndpoint(http, threads);
    } catch (IOException e) {
      throw new CommandException(
          "The admin address %s cannot be had (%s); end what listens there, or change 'admin' in %s."
              .formatted(endpoint, e.getMessage(), node.config().file()),
          e);
    }
  }

  /** What reads requests and answers them. */
  static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "testudo-admin");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  InetSocketAddress address() {
    return http.getAddress();
  }

  private static void serve(HttpServer http, String path, Supplier<Answer> answers) {
    http.createContext(
        path,
        exchange -> {
          try (exchange) {
            boolean exact = path.equals("/") || exchange.getRequestURI().getPath().equals(path);
            if (!exchange.getRequestMethod().equals("GET")) {
              send(exchange, new Answer(NOT_ALLOWED, TEXT, "only GET\n"));
            } else {
              send(exchange, exact ? answers.get() : new Answer(NOT_FOUND, TEXT, "not here\n"));
            }
          } catch (RuntimeException e) {
            LOG.error("an admin request failed", e);
            throw e;
          }
        });
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    exchange.sendResponseHeaders(answer.code(), body.length);
    exchange.getResponseBody().write(body);
  }

  /** Whether each half does what it is there for, tried now. */
  private static Answer health(ServerNode node) {
    Set<String> stuck = node.stuck();
    return stuck.isEmpty()
        ? new Answer(OK, TEXT, "ok\n")
        : new Answer(
            UNAVAILABLE,
            TEXT,
            "cannot store anything: %s; look at the log and the disk, and restart it\n"
                .formatted(String.join(", ", stuck)));
  }

  private static Answer readiness(ServerNode node) {
    if (!node.forgetful().isEmpty()) {
      return new Answer(
          UNAVAILABLE,
          TEXT,
          "its memory of %s was lost; start it once with --readmit, then run 'testudo readmit'\n"
              .formatted(String.join(", ", node.forgetful())));
    }
    Answer health = health(node);
    Duration later = node.grantsLocksIn();
    if (health.code() == OK && !later.isZero()) {
      return new Answer(
          UNAVAILABLE,
          TEXT,
          "grants locks from %s on, in %d s: leases from before its start may still run\n"
              .formatted(
                  Instant.now().plus(later).truncatedTo(ChronoUnit.SECONDS),
                  later.toSeconds() + 1));
    }
    return health.code() != OK || node.isListening()
        ? health
        : new Answer(UNAVAILABLE, TEXT, "takes no connections\n");
  }

  private static Map<String, Object> status(ServerNode node) {
    Set<String> stuck = node.stuck();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("cluster", node.config().cluster().name());
    status.put("server", node.self().toString());
    status.put("ready", node.isReady(stuck));
    status.put("grantsLocksInMillis", node.grantsLocksIn().toMillis());
    status.put("version", Version.number());
    status.put("settings", node.config().common().print(node.config().cluster()));
    status.put("incarnation", node.incarnation());
    status.put("uptimeMillis", node.uptimeNanos() / 1_000_000);
    status.put("connections", node.server().connections());
    status.put("principals", node.rights().principals().size());
    status.put("halves", node.halves());
    status.put("brokenHalves", stuck);
    status.put("forgetfulHalves", node.forgetful());
    status.put("refusals", node.server().counters().counts());
    return status;
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
