package io.testudo.bench.peers;

import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.peers.PeerColumn.Cell;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.RowFields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows for programs and lines for people. */
final class PeerTable {
  private static final String COLUMNS =
      "%-11s %7s  %-8s  %-8s  %-15s %-6s %-7s %9s %19s %10s %10s %9s %9s";
  private static final String STANDINGS = "%-11s %7s  %-8s  %-8s  %-15s %9s  %-24s %-24s %-24s";

  private PeerTable() {}

  static String heading() {
    return format(
        COLUMNS,
        "case",
        "callers",
        "use",
        "client",
        "system",
        "keeps",
        "faults",
        "ops/s",
        "(low .. high)",
        "p50 us",
        "p99 us",
        ":testudo",
        ":best");
  }

  /** What a system is, before the figures. */
  static String legend(Peer peer, String version) {
    return format(
        "%-15s %s: %s; %d %s, %s; tolerates %s; %s",
        peer.name(),
        version,
        peer.title(),
        peer.servers(),
        peer.servers() == 1 ? "server" : "servers",
        peer.replication().equals("none") ? "not replicated" : peer.replication(),
        peer.faults().equals("none") ? "no fault" : peer.faults(),
        switch (peer.durability()) {
          case SYNCED ->
              "synced to disk before the answer"
                  + (peer.isOwn() ? ", but of locks only a bound of all leases" : "");
          case LEASES -> "a bound of all leases synced to disk";
          case FILES -> "written to files before the answer, not synced";
          case MEMORY -> "in memory only";
        });
  }

  static String line(PeerColumn column, Cell cell) {
    Peer peer = cell.peer();
    Result result = cell.result();
    PeerWork work = column.work();
    String faults = peer.faults().replaceFirst(",.*", "");
    if (result == null) {
      return format(
          "%-11s %7s  %-8s  %-8s  %-15s failed: %s",
          PeerCases.caseOf(work),
          work.callers(),
          PeerWork.word(work.use()),
          clientWord(work),
          peer.name(),
          cell.failure());
    }
    return format(
        COLUMNS,
        PeerCases.caseOf(work),
        work.callers(),
        PeerWork.word(work.use()),
        clientWord(work),
        peer.name(),
        peer.durability(work.kind()).word(),
        faults,
        Columns.rate(result.opsPerSecond().median()),
        Columns.range(result.opsPerSecond()),
        Columns.micros(result.p50Micros().median()),
        Columns.micros(result.p99Micros().median()),
        ratio(cell, column.testudo()),
        ratio(cell, column.bestPeer()));
  }

  /** One caller has one client object, whoever shares it. */
  private static String clientWord(PeerWork work) {
    return work.callers() == 1 ? "one" : PeerWork.word(work.sharing());
  }

  private static String ratio(Cell cell, Optional<Cell> other) {
    return other.map(base -> twoDigits(cell.rate() / base.rate())).orElse("");
  }

  private static String twoDigits(double ratio) {
    return format("%.2f", ratio);
  }

  static Map<String, Object> fields(PeerColumn column, Cell cell, Plan plan, MachineFacts machine) {
    Peer peer = cell.peer();
    PeerWork work = column.work();
    RowFields fields =
        new RowFields()
            .with("bench", "peers")
            .with("case", PeerCases.caseOf(work))
            .with("system", peer.name())
            .with("version", cell.version())
            .with("use", PeerWork.word(work.use()))
            .with("servers", peer.servers())
            .with("durability", peer.durability(work.kind()).word())
            .with("replication", peer.replication())
            .with("faults", peer.faults())
            .with("clients", work.callers())
            .with("locks", work.kind() == PeerWork.Kind.LOCK ? (Integer) work.objects() : null)
            .with("sharing", clientWord(work))
            .with("failure", cell.failure());
    if (cell.result() != null) {
      fields.withFigures(cell.result());
      with(fields, "Testudo", cell, column.testudo().orElse(null), null);
      with(fields, "BestPeer", cell, column.bestPeer().orElse(null), "bestPeer");
      with(
          fields,
          "BestReplicatedPeer",
          cell,
          column.bestReplicatedPeer().orElse(null),
          "bestReplicatedPeer");
    }
    return fields.withPlan(plan, "closed").withMachine(machine).toMap();
  }

  private static void with(
      RowFields fields, String what, Cell cell, @Nullable Cell other, @Nullable String name) {
    if (other == null || cell.result() == null || other.result() == null) {
      return;
    }
    if (name != null) {
      fields.with(name, other.peer().name());
    }
    fields.with("opsRatioTo" + what, RowFields.thousandths(cell.rate() / other.rate()));
    double p50 = other.result().p50Micros().median();
    if (p50 > 0) {
      fields.with(
          "p50RatioTo" + what, RowFields.thousandths(cell.result().p50Micros().median() / p50));
    }
  }

  /** How Testudo stands, one line for each column and way to keep things. */
  static String standingsHeading() {
    return format(
        STANDINGS,
        "case",
        "callers",
        "use",
        "client",
        "system",
        "ops/s",
        ": best peer",
        ": best that is replicated",
        ": best of these that keeps as much");
  }

  static List<String> standings(PeerColumn column) {
    PeerWork work = column.work();
    return column.cells().stream()
        .filter(cell -> cell.peer().isOwn() && cell.rate() > 0)
        .map(
            cell ->
                format(
                    STANDINGS,
                    PeerCases.caseOf(work),
                    work.callers(),
                    PeerWork.word(work.use()),
                    clientWord(work),
                    cell.peer().name(),
                    Columns.rate(cell.rate()),
                    standing(cell, column.bestPeer()),
                    standing(cell, column.bestReplicatedPeer()),
                    standing(cell, column.bestLike(cell.peer()))))
        .toList();
  }

  private static String standing(Cell cell, Optional<Cell> other) {
    return other
        .map(best -> twoDigits(cell.rate() / best.rate()) + " " + best.peer().name())
        .orElse("-");
  }

  private static String format(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values).stripTrailing();
  }
}
