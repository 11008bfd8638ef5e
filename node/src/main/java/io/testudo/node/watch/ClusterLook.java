package io.testudo.node.watch;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import io.testudo.node.JsonLines;
import io.testudo.node.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One look at a cluster.
 *
 * @param number counts looks
 * @param at when it was over
 * @param elapsedNanos the same on a clock that nobody sets
 * @param administers whether servers told of themselves
 */
record ClusterLook(
    long number,
    ClusterView view,
    NameLists names,
    boolean administers,
    Instant at,
    long elapsedNanos) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A server, with its faults for people. */
  private record ServerLine(ServerRow row, List<String> words) {}

  /** A report, and whether it is believed. */
  private record ReportLine(ReportRow row, boolean believed) {}

  /** A lock, with its fence as text: browsers have no whole numbers that are so long. */
  private record LockLine(ListedLock row, @Nullable String fence) {}

  /**
   * As the status page wants it.
   *
   * @param interval until the next look
   */
  String json(ClientConfig config, Duration interval) {
    SummaryRow summary = SummaryRow.of(config, view);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "cluster");
    fields.put("look", number);
    fields.put("time", at.truncatedTo(ChronoUnit.SECONDS).toString());
    fields.put("elapsedMillis", elapsedNanos / NANOS_PER_MILLI);
    fields.put("intervalMillis", interval.toMillis());
    fields.put("principal", config.principal());
    fields.put("administers", administers);
    fields.put("version", Version.number());
    fields.put("maxSkewMillis", config.common().lock().timing().maxSkewMillis());
    fields.put("summary", summary);
    fields.put("answering", answering());
    fields.put("verdict", verdict());
    fields.put("words", SummaryRow.words(config, view));
    fields.put("servers", servers(config));
    fields.put("reports", reports());
    fields.put("locks", locks());
    fields.put("moreLocks", names.moreLocks());
    fields.put("objects", names.objects());
    fields.put("moreObjects", names.moreObjects());
    fields.put("namesComplete", names.isComplete());
    return JsonLines.line(fields) + "\n";
  }

  /** How many servers gave a sign of life. */
  int answering() {
    return (int)
        view.servers().stream()
            .filter(server -> !server.faults().contains(ServerFault.SILENT))
            .count();
  }

  /** In one word: well, worn (some of b is used up), waits (for servers), or broken. */
  String verdict() {
    if (view.lying() > view.thresholds().faults()) {
      return "broken";
    }
    if (!view.hasQuorum() || view.faultsLeft() < 0) {
      return "waits";
    }
    return view.failing() > 0 ? "worn" : "well";
  }

  private List<ServerLine> servers(ClientConfig config) {
    return view.servers().stream()
        .map(
            server ->
                new ServerLine(
                    ServerRow.of(server, config.cluster().endpoint(server.server())),
                    server.faults().stream().map(fault -> ServerRow.words(fault, server)).toList()))
        .collect(ImmutableList.toImmutableList());
  }

  private List<LockLine> locks() {
    return names.locks().stream()
        .map(row -> new LockLine(row, row.fence() == null ? null : row.fence().toString()))
        .collect(ImmutableList.toImmutableList());
  }

  private List<ReportLine> reports() {
    ImmutableList.Builder<ReportLine> lines = ImmutableList.builder();
    for (SuspectReport report : view.accusations()) {
      lines.add(new ReportLine(ReportRow.of(report), ReportRow.isBelieved(report, view)));
    }
    return lines.build();
  }
}
