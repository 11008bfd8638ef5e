package io.testudo.bench.objects;

import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.pinging.Baselines.Measured;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.RowFields;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** What one object reached in one case, beside the floor and the bare quorum round trip. */
record ObjectRow(ObjectContestant contestant, int clients, Result result, Measured beside) {
  private static final String COLUMNS =
      "%7s %7s  %-17s %-7s %-7s %-8s %9s %19s %9s %9s %9s %8s %8s %7s %9s";

  Map<String, Object> fields(Plan plan, MachineFacts machine) throws IOException {
    Usage usage = contestant.lastUsage();
    return contestant
        .setup()
        .fields("increment")
        .with("fileSystem", contestant.fileSystem())
        .with("clients", clients)
        .withFigures(result)
        .withComparison("floor", beside.floor(), result)
        .withComparison("ping", beside.ping(), result)
        .with("messagesPerOperation", RowFields.tenths(usage.messagesPerOperation()))
        .with("framesPerOperation", RowFields.tenths(usage.framesPerOperation()))
        .with("bytesPerOperation", RowFields.tenths(usage.bytesPerOperation()))
        .withPlan(plan, "closed")
        .withMachine(machine)
        .toMap();
  }

  static String heading() {
    return String.format(
        Locale.ROOT,
        COLUMNS,
        "servers",
        "clients",
        "mode",
        "seals",
        "journal",
        "sharing",
        "ops/s",
        "(low .. high)",
        "p50 us",
        "p99 us",
        "max us",
        "ops:ping",
        "p50:ping",
        "msgs/op",
        "bytes/op");
  }

  String line() {
    ObjectSetup setup = contestant.setup();
    Usage usage = contestant.lastUsage();
    return line(
        setup.thresholds().servers(),
        clients,
        result,
        setup.modeName(),
        setup.isSealed() ? setup.seals().schemeName() : "",
        setup.journal().word(),
        setup.sharing().word(),
        Columns.ratio(result.opsPerSecond(), beside.ping().opsPerSecond()),
        Columns.ratio(result.p50Micros(), beside.ping().p50Micros()),
        String.format(Locale.ROOT, "%.1f", usage.messagesPerOperation()),
        String.format(Locale.ROOT, "%,.0f", usage.bytesPerOperation()));
  }

  /** A line of something that is not an object. */
  static String line(int servers, int clients, String name, String sharing, Result result) {
    return line(servers, clients, result, name, "", "", sharing, "", "", "", "");
  }

  private static String line(
      int servers,
      int clients,
      Result result,
      String mode,
      String seals,
      String journal,
      String sharing,
      String opsRatio,
      String p50Ratio,
      String messages,
      String bytes) {
    return String.format(
            Locale.ROOT,
            COLUMNS,
            servers,
            clients,
            mode,
            seals,
            journal,
            sharing,
            Columns.rate(result.opsPerSecond().median()),
            Columns.range(result.opsPerSecond()),
            Columns.micros(result.p50Micros().median()),
            Columns.micros(result.p99Micros().median()),
            Columns.micros(result.maxMicros().high()),
            opsRatio,
            p50Ratio,
            messages,
            bytes)
        .stripTrailing();
  }
}
