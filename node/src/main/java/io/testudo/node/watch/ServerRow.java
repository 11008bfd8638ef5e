package io.testudo.node.watch;

import io.testudo.client.cluster.ClusterView;
import io.testudo.client.status.ServerFault;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.ServerView;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server as programs are told of it. */
public record ServerRow(
    String server,
    String address,
    boolean answered,
    @Nullable Long roundTripMicros,
    @Nullable Long incarnation,
    @Nullable Long vouchedIncarnation,
    @Nullable String version,
    @Nullable Long uptimeMillis,
    @Nullable Long clockOffsetMillis,
    @Nullable Long grantsLocksInMillis,
    List<String> faults) {
  public ServerRow {
    faults = List.copyOf(faults);
  }

  public static ServerRow of(ClusterView.Server server, Endpoint endpoint) {
    Optional<ServerView> view = server.view().filter(ServerView::answered);
    return new ServerRow(
        server.server().toString(),
        endpoint.toString(),
        !server.faults().contains(ServerFault.SILENT),
        server.roundTripNanos().map(nanos -> nanos / 1_000).orElse(null),
        view.map(ServerView::claimed).orElse(null),
        server.view().map(ServerView::vouched).orElse(null),
        server.status().map(status -> status.version()).orElse(null),
        server.status().map(status -> status.uptimeMillis()).orElse(null),
        server.clockOffsetMillis().orElse(null),
        view.map(ServerView::quietMillis).orElse(null),
        server.faults().stream().map(ServerRow::name).toList());
  }

  /** What programs call a fault. */
  public static String name(ServerFault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A fault with what it is seen by, for people. */
  public static String words(ServerFault fault, ClusterView.Server server) {
    Optional<ServerView> view = server.view().filter(ServerView::answered);
    return switch (fault) {
      case SILENT -> "silent";
      case QUIET ->
          view.filter(ServerView::awaitsOperator).isPresent()
              ? "grants no locks until 'testudo readmit' was run"
              : "grants no locks for " + age(view.map(ServerView::quietMillis).orElse(0L) + 999);
      case FORGETFUL -> "forgetful: it denies what others heard of it";
      case INCOMPLETE -> "takes no part in new objects until 'testudo readmit' was run";
      case STUCK -> "does not answer for objects: look at its log and its disk";
      case OTHER_SETTINGS -> "other settings";
      case CONTRADICTS -> "said what no correct server says, see below";
    };
  }

  /** What ends that a server counts as failing for what was reported of it. */
  public static String howToClear(ServerId server) {
    return "%s counts as failing until what was reported of it is forgotten: when you have looked into it, run 'testudo clear %s'."
        .formatted(server, server);
  }

  /** A time for people. */
  public static String age(long millis) {
    long seconds = millis / 1_000;
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    return minutes < 120 ? minutes + "m" : minutes / 60 + "h";
  }
}
