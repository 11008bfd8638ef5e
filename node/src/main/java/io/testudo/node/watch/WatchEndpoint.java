package io.testudo.node.watch;

import io.testudo.node.CommandException;
import io.testudo.node.web.MetricsText;
import io.testudo.node.web.SmallHttpServer;
import io.testudo.node.web.SmallHttpServer.Answer;
import io.testudo.node.web.StatusPage;
import io.testudo.quorum.cluster.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a cluster over HTTP: {@code /}, {@code /status} and {@code /metrics}. Whoever reaches it
 * sees what the principal that looks may read, names of locks and objects too, and can change
 * nothing: so it listens on loopback unless told otherwise.
 */
public final class WatchEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchEndpoint.class);
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Answer NOTHING_YET =
      new Answer(UNAVAILABLE, TEXT, "the cluster was not looked at yet\n");

  private final SmallHttpServer http;

  private WatchEndpoint(SmallHttpServer http) {
    this.http = http;
  }

  /**
   * Starts to show.
   *
   * @throws CommandException if nobody can listen there
   */
  public static WatchEndpoint start(Endpoint endpoint, ClusterWatch watch) {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.getAddress() != null && !address.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "the address {} is no loopback address: all who reach it can read the names of locks,"
              + " objects and principals",
          address);
    }
    try {
      return new WatchEndpoint(
          SmallHttpServer.start(address, path -> answer(path, watch), DEADLINE));
    } catch (IOException e) {
      throw new CommandException(
          "The address %s cannot be had (%s); end what listens there, or name another with --serve."
              .formatted(endpoint, e.getMessage()),
          e);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return http.address();
  }

  private static Answer answer(String path, ClusterWatch watch) {
    try {
      return switch (path) {
        case "/" -> StatusPage.answer();
        case "/status" -> {
          @Nullable String json = watch.read();
          yield json == null ? NOTHING_YET : new Answer(OK, "application/json", json);
        }
        case "/metrics" -> {
          @Nullable ClusterLook look = watch.glance();
          yield look == null
              ? NOTHING_YET
              : new Answer(OK, MetricsText.CONTENT_TYPE, ClusterMetrics.of(look, watch.config()));
        }
        default -> new Answer(NOT_FOUND, TEXT, "/ /status /metrics\n");
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return NOTHING_YET;
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
