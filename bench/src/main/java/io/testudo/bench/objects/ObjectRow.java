package io.testudo.bench.objects;

import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.report.RowFields;
import java.util.Locale;
import java.util.Map;

/** What one object reached in one case, beside the floor and the bare quorum round trip. */
record ObjectRow(
    ObjectContestant contestant, int clients, Result result, Result floor, Result ping) {
  private static final String COLUMNS = "%7s %7s  %-17s %-7s %-8s %9s %19s %9s %9s %8s %8s %7s %9s";

  Map<String, Object> fields(Plan plan, MachineFacts machine) {
    ObjectSetup setup = contestant.setup();
    Usage usage = contestant.lastUsage();
    return new RowFields()
        .with("bench", "object")
        .with("case", "increment")
        .with("system", contestant.system())
        .with("mode", setup.modeName())
        .with("seals", setup.isSealed() ? setup.seals().word() : null)
        .with("journal", setup.journal().word())
        .with("sharing", setup.sharingWord())
        .with("stateBytes", setup.stateBytes() > 0 ? setup.stateBytes() : null)
        .with("servers", setup.thresholds().servers())
        .with("byzantine", setup.thresholds().faults())
        .with("clients", clients)
        .withFigures(result)
        .withComparison("floor", floor, result)
        .withComparison("ping", ping, result)
        .with("messagesPerOperation", RowFields.tenths(usage.messagesPerOperation()))
        .with("framesPerOperation", RowFields.tenths(usage.framesPerOperation()))
        .with("bytesPerOperation", RowFields.tenths(usage.bytesPerOperation()))
        .with("rounds", result.rounds())
        .with("secondsPerRound", plan.roundNanos() / 1e9)
        .with("loop", "closed")
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
        "journal",
        "sharing",
        "ops/s",
        "(low .. high)",
        "p50 us",
        "p99 us",
        "ops:ping",
        "p50:ping",
        "msgs/op",
        "bytes/op");
  }

  String line() {
    ObjectSetup setup = contestant.setup();
    Usage usage = contestant.lastUsage();
    return String.format(
        Locale.ROOT,
        COLUMNS,
        setup.thresholds().servers(),
        clients,
        setup.modeName(),
        setup.journal().word(),
        setup.sharingWord(),
        String.format(Locale.ROOT, "%,.0f", result.opsPerSecond().median()),
        String.format(
            Locale.ROOT,
            "(%,.0f .. %,.0f)",
            result.opsPerSecond().low(),
            result.opsPerSecond().high()),
        String.format(Locale.ROOT, "%,.1f", result.p50Micros().median()),
        String.format(Locale.ROOT, "%,.1f", result.p99Micros().median()),
        ratio(result.opsPerSecond().median(), ping.opsPerSecond().median()),
        ratio(result.p50Micros().median(), ping.p50Micros().median()),
        String.format(Locale.ROOT, "%.1f", usage.messagesPerOperation()),
        String.format(Locale.ROOT, "%,.0f", usage.bytesPerOperation()));
  }

  private static String ratio(double figure, double other) {
    return other > 0 ? String.format(Locale.ROOT, "%.2f", figure / other) : "";
  }
}
