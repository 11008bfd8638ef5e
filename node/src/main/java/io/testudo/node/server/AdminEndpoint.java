package io.testudo.node.server;

import com.google.common.base.Suppliers;
import io.testudo.node.CommandException;
import io.testudo.node.JsonLines;
import io.testudo.node.web.MetricsText;
import io.testudo.node.web.SmallHttpServer;
import io.testudo.node.web.SmallHttpServer.Answer;
import io.testudo.node.web.StatusPage;
import io.testudo.quorum.cluster.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators and their programs ask over HTTP: {@code /livez}, {@code /readyz}, {@code
 * /metrics}, {@code /status}, and {@code /}, a page that shows the latter. It shows no secret, no
 * name of a lock, an object or a principal, and changes nothing, but anybody who reaches it may
 * read it: so it listens on loopback unless told otherwise.
 */
final class AdminEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminEndpoint.class);

  /** A probe for each machine takes two seconds at most, and an answer is short. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final Duration SHARED_FOR = Duration.ofSeconds(1);
  static final String PATHS = "/ /livez /readyz /metrics /status\n";
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final SmallHttpServer http;

  private AdminEndpoint(SmallHttpServer http) {
    this.http = http;
  }

  static AdminEndpoint start(Endpoint endpoint, ServerNode node) {
    Supplier<String> status = shared(() -> JsonLines.line(ServerStatusRow.of(node)) + "\n");
    return new AdminEndpoint(
        open(endpoint, node.config().file(), path -> answer(path, node, status)));
  }

  /** Of a member of a ring. */
  static AdminEndpoint start(Endpoint endpoint, RingDaemon member) {
    Supplier<String> status = shared(() -> JsonLines.line(RingStatus.of(member)) + "\n");
    return new AdminEndpoint(
        open(endpoint, member.config().file(), path -> RingStatus.answer(path, member, status)));
  }

  /** However many look, what they see is found out once in a second. */
  private static Supplier<String> shared(Supplier<String> status) {
    return Suppliers.memoizeWithExpiration(status::get, SHARED_FOR);
  }

  private static SmallHttpServer open(
      Endpoint endpoint, Path file, Function<String, Answer> answers) {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.getAddress() != null && !address.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "the admin address {} is no loopback address: all who reach it can read it", address);
    }
    try {
      return SmallHttpServer.start(address, answers, DEADLINE);
    } catch (IOException e) {
      throw new CommandException(
          "The admin address %s cannot be had (%s); end what listens there, or change 'admin' in %s."
              .formatted(endpoint, e.getMessage(), file),
          e);
    }
  }

  InetSocketAddress address() {
    return http.address();
  }

  private static Answer answer(String path, ServerNode node, Supplier<String> status) {
    return switch (path) {
      case "/" -> StatusPage.answer();
      case "/livez" -> health(node);
      case "/readyz" -> readiness(node);
      case "/metrics" -> new Answer(OK, MetricsText.CONTENT_TYPE, Metrics.of(node));
      case "/status" -> new Answer(OK, JSON, status.get());
      default -> new Answer(NOT_FOUND, TEXT, PATHS);
    };
  }

  /** Whether each machine does what it is there for, tried now. */
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

  @Override
  public void close() {
    http.close();
  }
}
