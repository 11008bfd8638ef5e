package io.testudo.bench.locking;

import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.pinging.Baselines.Measured;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.RowFields;
import java.util.Locale;
import java.util.Map;

/**
 * The row of the output contract for one way to use the lock, beside the bare round trip to a
 * quorum of the same servers' number and the floor, in the same run. Latencies are waits for the
 * lock, rates are whole turns.
 */
record LockRow(LockCase what, LockContestant lock, Result result, Measured beside) {
  private static final String COLUMNS = "%7s  %-11s %7s  %-28s %9s %19s %9s %9s %8s %8s %8s";
  private static final double TENTHS = 10;
  private static final double THOUSANDTHS = 1_000;

  Map<String, Object> fields(Plan plan, MachineFacts machine) {
    LockSetup setup = lock.setup();
    RowFields fields =
        new RowFields()
            .with("bench", "lock")
            .with("case", what.name())
            .with("system", lock.system())
            .with("backend", lock.backend())
            .with("mode", setup.thresholds().need().modeName())
            .with("use", lock.use().word())
            .with("servers", setup.thresholds().servers())
            .with("byzantine", MeasuredLocks.liarsOf(setup.thresholds()));
    if (!setup.thresholds().need().toleratesLiars()) {
      fields.with("crashes", setup.thresholds().faults());
    }
    fields
        .with("clients", what.clients())
        .with("locks", what.locks())
        .withFigures(result)
        .withComparison("ping", beside.ping(), result)
        .withComparison("floor", beside.floor(), result);
    if (what.locks() == 1 && result.opsPerSecond().median() > 0) {
      fields.with("handOffMicros", Math.round(handOffMicros() * TENTHS) / TENTHS);
      if (bareMicros() > 0) {
        double ratio = handOffMicros() / bareMicros();
        fields.with("barePingMicros", Math.round(bareMicros() * TENTHS) / TENTHS);
        fields.with("handOffRatioToBarePing", Math.round(ratio * THOUSANDTHS) / THOUSANDTHS);
      }
    }
    return fields
        .with("connections", setup.connections().word())
        .withPlan(plan, "closed")
        .withMachine(machine)
        .toMap();
  }

  static String heading() {
    return String.format(
        Locale.ROOT,
        COLUMNS,
        "servers",
        "case",
        "clients",
        "what",
        "turns/s",
        "(low .. high)",
        "p50 us",
        "p99 us",
        "ops:ping",
        "p50:ping",
        "hand-off");
  }

  /** At one lock: from one entry to the next. */
  private double handOffMicros() {
    return 1e6 / result.opsPerSecond().median();
  }

  private double bareMicros() {
    return beside.barePing().p50Micros().median();
  }

  /** How many bare round trips to a quorum a hand-off takes. */
  private String handOffRatio() {
    boolean isKnown = what.locks() == 1 && bareMicros() > 0;
    return isKnown ? String.format(Locale.ROOT, "%.2f", handOffMicros() / bareMicros()) : "";
  }

  String line() {
    LockSetup setup = lock.setup();
    return line(
        setup.thresholds().servers(),
        what,
        "%s %s %s"
            .formatted(lock.backend(), setup.thresholds().need().modeName(), lock.use().word()),
        result,
        Columns.ratio(result.opsPerSecond(), beside.ping().opsPerSecond()),
        Columns.ratio(result.p50Micros(), beside.ping().p50Micros()),
        handOffRatio());
  }

  /** A line of something that is not a lock. */
  static String line(int servers, LockCase what, String name, Result result) {
    return line(servers, what, name, result, "", "", "");
  }

  private static String line(
      int servers,
      LockCase what,
      String name,
      Result result,
      String opsRatio,
      String p50Ratio,
      String handOffRatio) {
    Spread ops = result.opsPerSecond();
    return String.format(
            Locale.ROOT,
            COLUMNS,
            servers,
            what.name(),
            what.clients(),
            name,
            Columns.rate(ops.median()),
            Columns.range(ops),
            Columns.micros(result.p50Micros().median()),
            Columns.micros(result.p99Micros().median()),
            opsRatio,
            p50Ratio,
            handOffRatio)
        .stripTrailing();
  }
}
