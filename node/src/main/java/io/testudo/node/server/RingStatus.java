package io.testudo.node.server;

import io.testudo.mutex.dht.ring.NodeView;
import io.testudo.node.Version;
import io.testudo.node.web.MetricsText;
import io.testudo.node.web.SmallHttpServer.Answer;
import io.testudo.node.web.StatusPage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What a member of a ring answers at its admin address. */
final class RingStatus {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";

  private RingStatus() {}

  static Answer answer(String path, RingDaemon member, Supplier<String> status) {
    return switch (path) {
      case "/" -> StatusPage.answer();
      case "/livez" -> {
        NodeView unused = member.node().view(); // It answers, or this does not.
        yield new Answer(OK, TEXT, "ok\n");
      }
      case "/readyz" ->
          member.node().view().joined()
              ? new Answer(OK, TEXT, "ok\n")
              : new Answer(
                  UNAVAILABLE,
                  TEXT,
                  "looks for its place in the ring; does a member run where it was told to join?\n");
      case "/metrics" -> new Answer(OK, MetricsText.CONTENT_TYPE, Metrics.of(member));
      case "/status" -> new Answer(OK, "application/json", status.get());
      default -> new Answer(NOT_FOUND, TEXT, AdminEndpoint.PATHS);
    };
  }

  static Map<String, Object> of(RingDaemon member) {
    NodeView view = member.node().view();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("kind", "member");
    status.put("ring", member.ring());
    status.put("member", member.member());
    status.put("ready", view.joined());
    status.put("address", member.address());
    status.put("backend", member.config().protocol().name());
    status.put("version", Version.number());
    status.put("uptimeMillis", member.uptimeNanos() / 1_000_000);
    status.put("id", view.id().toString());
    status.put("zoneShare", view.zone().share());
    status.put("neighbours", view.neighbours().stream().map(Object::toString).toList());
    status.put("membersKnown", view.known());
    status.put("entries", view.entries());
    status.put("restores", view.restores());
    status.put("principals", member.principals());
    status.put("refusals", member.node().peer().counters().counts());
    status.put("heap", ServerStatusRow.heap());
    return status;
  }
}
