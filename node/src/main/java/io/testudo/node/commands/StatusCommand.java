package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.ServerView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo status}: how the servers are, and how many more may fail. */
@Command(
    name = "status",
    description = {
      "Shows the servers, how much of b is left, and what clients have reported of them that no",
      "correct server says. With --verbose also how often servers disagreed with enough others,",
      "as correct ones do when requests cross.",
      "Versions, clocks and reports are told to principals with the right to administer."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the cluster works; a server or two may be failing",
      "1:fewer than a quorum answer, or more fail than the cluster tolerates"
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo status --watch")
public final class StatusCommand implements Subcommand {
  @Option(names = "--watch", description = "Look again and again, until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      defaultValue = "2s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to pause between looks (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ofSeconds(2);

  @Option(names = "--verbose", description = "Show how often servers disagreed, too.")
  private boolean verbose;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public StatusCommand() {}

  private record ServerRow(
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
      List<String> faults) {}

  private record ReportRow(
      String suspect, String reporter, String kind, long count, String detail, String lastTime) {}

  private record SummaryRow(
      String cluster,
      int servers,
      int byzantine,
      String seals,
      int quorum,
      int failing,
      int lying,
      int faultsLeft,
      boolean hasQuorum) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      Observer observer = new Observer(cluster, timeout.orAsConfigured(config));
      while (true) {
        ClusterView view = observer.look();
        show(config, view, observer.mayAdminister());
        if (!watch) {
          return view.hasQuorum() && view.faultsLeft() >= 0 ? ExitCode.OK : ExitCode.FAILED;
        }
        output.text("");
        Thread.sleep(interval.toMillis());
      }
    }
  }

  private void show(ClientConfig config, ClusterView view, boolean administers) {
    output.text(
        String.format(
            Locale.ROOT,
            "%-6s %-24s %-10s %11s %6s %-16s %9s  %s",
            "server",
            "address",
            "answers in",
            "incarnation",
            "up",
            "version",
            "clock",
            "faults"));
    for (ClusterView.Server server : view.servers()) {
      Endpoint endpoint = config.cluster().endpoint(server.server());
      output.row(row(server, endpoint), line(server, endpoint));
    }
    for (SuspectReport report : view.accusations()) {
      if (verbose || report.suspect().kind() == Suspect.Kind.CONTRADICTION) {
        output.row(row(report), line(report, view));
      }
    }
    SummaryRow summary =
        new SummaryRow(
            config.cluster().name(),
            config.cluster().servers(),
            config.cluster().byzantine(),
            config.common().seals().schemeName(),
            view.thresholds().quorum(),
            view.failing(),
            view.lying(),
            view.faultsLeft(),
            view.hasQuorum());
    output.row(summary, summary(config, view));
    if (!administers) {
      output.text(
          "Versions, clocks and reports are for principals with the right to administer, which %s lacks."
              .formatted(config.principal()));
    }
  }

  private static ServerRow row(ClusterView.Server server, Endpoint endpoint) {
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
        faults(server));
  }

  private static List<String> faults(ClusterView.Server server) {
    return server.faults().stream()
        .map(fault -> fault.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  private static String line(ClusterView.Server server, Endpoint endpoint) {
    Optional<ServerView> view = server.view().filter(ServerView::answered);
    return String.format(
            Locale.ROOT,
            "%-6s %-24s %-10s %11s %6s %-16s %9s  %s",
            server.server(),
            endpoint,
            server
                .roundTripNanos()
                .map(nanos -> String.format(Locale.ROOT, "%.1f ms", nanos / 1e6))
                .orElse("-"),
            view.map(it -> Long.toString(it.claimed())).orElse("-"),
            server.status().map(status -> age(status.uptimeMillis())).orElse("-"),
            server.status().map(status -> Printable.of(status.version())).orElse("-"),
            server.clockOffsetMillis().map(offset -> offset + " ms").orElse("-"),
            server.faults().isEmpty()
                ? "none"
                : server.faults().stream()
                    .map(fault -> words(fault, view))
                    .collect(Collectors.joining(", ")))
        .stripTrailing();
  }

  /** With what it is seen by. */
  private static String words(ServerFault fault, Optional<ServerView> view) {
    return switch (fault) {
      case SILENT -> "silent";
      case QUIET ->
          view.filter(ServerView::awaitsOperator).isPresent()
              ? "grants no locks until 'testudo readmit' was run"
              : "grants no locks for " + age(view.map(ServerView::quietMillis).orElse(0L) + 999);
      case FORGETFUL ->
          "forgetful: it says %d, others heard of %d"
              .formatted(
                  view.map(ServerView::claimed).orElse(0L),
                  view.map(it -> it.otherLife() > 0 ? it.otherLife() : it.known()).orElse(0L));
      case INCOMPLETE -> "takes no part in new objects until 'testudo readmit' was run";
      case STUCK -> "does not answer for objects: look at its log and its disk";
      case OTHER_SETTINGS -> "other settings";
      case CONTRADICTS -> "said what no correct server says, see below";
    };
  }

  private static String age(long millis) {
    long seconds = millis / 1_000;
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    return minutes < 120 ? minutes + "m" : minutes / 60 + "h";
  }

  private static ReportRow row(SuspectReport report) {
    return new ReportRow(
        report.suspect().server().toString(),
        report.reporter(),
        report.suspect().kind().name().toLowerCase(Locale.ROOT),
        report.suspect().count(),
        report.suspect().detail(),
        time(report));
  }

  private static String line(SuspectReport report, ClusterView view) {
    Suspect suspect = report.suspect();
    if (suspect.kind() == Suspect.Kind.OUTVOTED) {
      return "%s: disagreed with enough others %d times, says %s; correct servers do, too"
          .formatted(suspect.server(), suspect.count(), report.reporter());
    }
    boolean believed =
        view.servers().get(suspect.server().index()).faults().contains(ServerFault.CONTRADICTS);
    return "%s: %s%s says that it said what no correct server says, %d times, last at %s%s"
        .formatted(
            suspect.server(),
            believed ? "" : "only ",
            report.reporter(),
            suspect.count(),
            time(report),
            suspect.detail().isEmpty() ? "" : ": " + Printable.of(suspect.detail()));
  }

  private static String time(SuspectReport report) {
    return Instant.ofEpochMilli(report.lastWallMillis()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String summary(ClientConfig config, ClusterView view) {
    String failing =
        view.servers().stream()
            .filter(server -> !server.faults().isEmpty())
            .map(server -> server.server().toString())
            .collect(Collectors.joining(", "));
    String left =
        view.faultsLeft() >= 0
            ? "%d more may fail".formatted(view.faultsLeft())
            : view.lying() > config.cluster().byzantine()
                ? "more than it tolerates: its promises may be broken"
                : "more than it tolerates: it waits for them, and breaks no promise";
    return "Cluster %s tolerates %d of %d: %s; %s%s"
        .formatted(
            config.cluster().name(),
            config.cluster().byzantine(),
            config.cluster().servers(),
            failing.isEmpty()
                ? "none fails"
                : failing + (view.failing() == 1 ? " counts" : " count") + " as failing",
            left,
            view.hasQuorum() ? "." : ". Fewer than a quorum answer: run 'testudo doctor'.");
  }
}
