package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Signals;
import io.testudo.node.Subcommand;
import io.testudo.node.TextTable;
import io.testudo.node.Version;
import io.testudo.node.log.Printable;
import io.testudo.node.watch.ClusterWatch;
import io.testudo.node.watch.ReportRow;
import io.testudo.node.watch.ServerRow;
import io.testudo.node.watch.SummaryRow;
import io.testudo.node.watch.WatchEndpoint;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.ServerView;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo status}: how the servers are, and how many more may fail. */
@Command(
    name = "status",
    description = {
      "Shows the servers, how many more may fail, and what clients report of them.",
      "Reported is what no correct server says. With --verbose also how often servers disagreed with enough others, "
          + "as correct ones do when requests cross.",
      "A version is shown where it is not the one of this command. Versions, clocks and reports are "
          + "told to principals with the right to administer.",
      "With --serve it shows all this, and locks and objects, as a page that keeps up to date."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the cluster works; a server or two may be failing",
      "1:fewer than a quorum answer, or more fail than the cluster tolerates"
    },
    footerHeading = "%nExample:%n",
    footer = {"  testudo status --watch", "  testudo status --serve 127.0.0.1:7080"})
public final class StatusCommand implements Subcommand {
  private static final String DEFAULT_ADDRESS = "127.0.0.1:7080";

  /** A page that is looked at wants an answer, even one that says who is silent. */
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(3);

  @Option(names = "--watch", description = "Look again and again, until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      defaultValue = "2s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to pause between looks (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ofSeconds(2);

  @Option(
      names = "--serve",
      arity = "0..1",
      fallbackValue = DEFAULT_ADDRESS,
      paramLabel = "ADDRESS",
      converter = Endpoints.class,
      description =
          "Show the cluster over HTTP, until Ctrl-C: / is a page, /status JSON, /metrics for "
              + "Prometheus. Whoever reaches the address may read them (default: "
              + DEFAULT_ADDRESS
              + ").")
  private @Nullable Endpoint serve;

  @Option(names = "--verbose", description = "Show how often servers disagreed, too.")
  private boolean verbose;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public StatusCommand() {}

  private record ServeRow(String event, String cluster, String page) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    if (serve != null) {
      return serve(config, serve);
    }
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

  /** Until it is told to end. */
  private int serve(ClientConfig config, Endpoint address) throws InterruptedException {
    Duration patience = timeout.orAsConfigured(config);
    CountDownLatch over = new CountDownLatch(1);
    boolean interrupt = Signals.onSignal("INT", over::countDown);
    boolean term = Signals.onSignal("TERM", over::countDown);
    try (ClusterWatch shown =
            ClusterWatch.start(
                config,
                patience.compareTo(LONGEST_LOOK) < 0 ? patience : LONGEST_LOOK,
                interval,
                ListedPrefixes.orNone(config));
        WatchEndpoint endpoint = WatchEndpoint.start(address, shown)) {
      String page = "http://" + InetAddresses.toUriString(endpoint.address().getAddress());
      page += ":" + endpoint.address().getPort() + "/";
      output.row(
          new ServeRow("ready", config.cluster().name(), page),
          "Cluster %s is shown at %s%s"
              .formatted(
                  config.cluster().name(),
                  page,
                  interrupt && term ? " until Ctrl-C." : "; kill this process to end it."));
      over.await();
      return ExitCode.OK;
    }
  }

  private void show(ClientConfig config, ClusterView view, boolean administers) {
    ImmutableList<String> lines = lines(config, view);
    output.text(lines.get(0));
    for (int i = 0; i < view.servers().size(); i++) {
      ClusterView.Server server = view.servers().get(i);
      Endpoint endpoint = config.cluster().endpoint(server.server());
      output.row(ServerRow.of(server, endpoint), lines.get(i + 1));
    }
    for (SuspectReport report : view.accusations()) {
      if (verbose || report.suspect().kind() == Suspect.Kind.CONTRADICTION) {
        output.row(ReportRow.of(report), line(report, view));
      }
    }
    view.servers().stream()
        .filter(server -> server.faults().contains(ServerFault.CONTRADICTS))
        .forEach(server -> output.text(ServerRow.howToClear(server.server())));
    output.row(SummaryRow.of(config, view), SummaryRow.words(config, view));
    if (!administers) {
      output.text(
          "Versions, clocks and reports are for principals with the right to administer, which %s lacks."
              .formatted(config.principal()));
    }
  }

  /** The servers as a table, below its headings. */
  private static ImmutableList<String> lines(ClientConfig config, ClusterView view) {
    TextTable table =
        new TextTable(
            new TextTable.Column("server", false),
            new TextTable.Column("address", false),
            new TextTable.Column("answers in", true),
            new TextTable.Column("incarnation", true),
            new TextTable.Column("up", true),
            new TextTable.Column("clock", true),
            new TextTable.Column("faults", false));
    for (ClusterView.Server server : view.servers()) {
      boolean answers = !server.faults().contains(ServerFault.SILENT);
      table.add(
          server.server().toString(),
          config.cluster().endpoint(server.server()).toString(),
          server
              .roundTripNanos()
              .map(nanos -> String.format(Locale.ROOT, "%.1f ms", nanos / 1e6))
              .orElse(answers ? "yes" : "-"),
          server
              .view()
              .filter(ServerView::answered)
              .map(it -> Long.toString(it.claimed()))
              .orElse("-"),
          server.status().map(status -> ServerRow.age(status.uptimeMillis())).orElse("-"),
          server.clockOffsetMillis().map(offset -> offset + " ms").orElse("-"),
          Stream.concat(
                  server.faults().stream().map(fault -> ServerRow.words(fault, server)),
                  otherVersion(server).stream())
              .collect(Collectors.joining(",\n"))
              .transform(faults -> faults.isEmpty() ? "none" : faults));
    }
    return table.lines();
  }

  /** No fault, as while servers are updated one after the other. */
  private static Optional<String> otherVersion(ClusterView.Server server) {
    return server
        .status()
        .map(status -> status.version())
        .filter(version -> !version.equals(Version.number()))
        .map(version -> "runs " + Printable.of(version) + ", this is " + Version.number());
  }

  private static String line(SuspectReport report, ClusterView view) {
    Suspect suspect = report.suspect();
    if (suspect.kind() == Suspect.Kind.OUTVOTED) {
      return "%s: disagreed with enough others %d times, says %s; correct servers do, too"
          .formatted(suspect.server(), suspect.count(), report.reporter());
    }
    return "%s: %s%s says that it said what no correct server says, %s, last at %s%s"
        .formatted(
            suspect.server(),
            ReportRow.isBelieved(report, view) ? "" : "only ",
            report.reporter(),
            suspect.count() == 1 ? "once" : suspect.count() + " times",
            ReportRow.time(report),
            suspect.detail().isEmpty() ? "" : ": " + Printable.of(suspect.detail()));
  }
}
