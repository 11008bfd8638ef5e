package io.testudo.bench.locking;

import com.google.gson.annotations.SerializedName;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The row of the output contract for one way to use the lock, beside the bare round trip to a
 * quorum of the same servers' number and the floor, in the same run. Latencies are waits for the
 * lock, rates are whole turns.
 */
record LockRow(
    String bench,
    @SerializedName("case") String caseName,
    String system,
    String backend,
    String mode,
    String use,
    int servers,
    int byzantine,
    @Nullable Integer crashes,
    int clients,
    int locks,
    double opsPerSecond,
    double p50Micros,
    double p99Micros,
    double pingOpsPerSecond,
    double pingP50Micros,
    @Nullable Double opsRatioToPing,
    @Nullable Double p50RatioToPing,
    @Nullable Double handOffMicros,
    @Nullable Double handOffRatioToBarePing,
    double floorOpsPerSecond,
    double floorP50Micros,
    double opsPerSecondLow,
    double opsPerSecondHigh,
    double p50MicrosLow,
    double p50MicrosHigh,
    double p99MicrosLow,
    double p99MicrosHigh,
    int rounds,
    double secondsPerRound,
    String loop,
    String connections,
    @Nullable Double otherCpuShare,
    int cores,
    long memoryMebibytes,
    String jdk,
    String os,
    String transport) {

  private static final String COLUMNS = "%7s  %-11s %7s  %-28s %9s %19s %9s %9s %8s %8s %8s";
  private static final double TENTHS = 10;
  private static final double THOUSANDTHS = 1_000;

  /**
   * What is measured beside the lock.
   *
   * @param ping with as many clients
   * @param barePing with one client, if that was measured
   */
  record Beside(
      Result floor,
      Result ping,
      @Nullable Result barePing,
      double secondsPerRound,
      MachineFacts machine) {}

  static LockRow of(LockCase what, LockContestant lock, Result result, Beside beside) {
    LockSetup setup = lock.setup();
    Spread ops = result.opsPerSecond();
    Spread p50 = result.p50Micros();
    Spread p99 = result.p99Micros();
    Result ping = beside.ping();
    MachineFacts machine = beside.machine();
    return new LockRow(
        "lock",
        what.name(),
        lock.system(),
        lock.backend(),
        setup.thresholds().need().modeName(),
        lock.use().word(),
        setup.thresholds().servers(),
        setup.protocol().liarsOf(setup.thresholds()),
        setup.protocol() == LockProtocol.BACKOFF ? null : (Integer) setup.thresholds().faults(),
        what.clients(),
        what.locks(),
        tenths(ops.median()),
        tenths(p50.median()),
        tenths(p99.median()),
        tenths(ping.opsPerSecond().median()),
        tenths(ping.p50Micros().median()),
        ratio(ops, ping.opsPerSecond()),
        ratio(p50, ping.p50Micros()),
        handOffMicros(what, ops),
        handOffRatio(what, ops, beside.barePing()),
        tenths(beside.floor().opsPerSecond().median()),
        tenths(beside.floor().p50Micros().median()),
        tenths(ops.low()),
        tenths(ops.high()),
        tenths(p50.low()),
        tenths(p50.high()),
        tenths(p99.low()),
        tenths(p99.high()),
        result.rounds(),
        beside.secondsPerRound(),
        "closed",
        setup.connections().name().toLowerCase(Locale.ROOT),
        share(result.otherCpuShare()),
        machine.cores(),
        machine.memoryMebibytes(),
        machine.jdk(),
        machine.os(),
        machine.transport());
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

  String line() {
    return line(
        servers,
        caseName,
        clients,
        "%s %s %s".formatted(backend, mode, use),
        new Spread(opsPerSecond, opsPerSecondLow, opsPerSecondHigh),
        p50Micros,
        p99Micros,
        text(opsRatioToPing),
        text(p50RatioToPing),
        text(handOffRatioToBarePing));
  }

  static String line(
      int servers,
      String caseName,
      int clients,
      String what,
      Spread ops,
      double p50Micros,
      double p99Micros,
      String opsRatio,
      String p50Ratio,
      String handOffRatio) {
    return String.format(
            Locale.ROOT,
            COLUMNS,
            servers,
            caseName,
            clients,
            what,
            String.format(Locale.ROOT, "%,.0f", ops.median()),
            String.format(Locale.ROOT, "(%,.0f .. %,.0f)", ops.low(), ops.high()),
            String.format(Locale.ROOT, "%,.1f", p50Micros),
            String.format(Locale.ROOT, "%,.1f", p99Micros),
            opsRatio,
            p50Ratio,
            handOffRatio)
        .stripTrailing();
  }

  private static String text(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio);
  }

  /** At one lock: from one entry to the next. */
  private static @Nullable Double handOffMicros(LockCase what, Spread ops) {
    return what.locks() == 1 && ops.median() > 0 ? (Double) tenths(1e6 / ops.median()) : null;
  }

  /** How many bare round trips to a quorum that takes. */
  private static @Nullable Double handOffRatio(
      LockCase what, Spread ops, @Nullable Result barePing) {
    Double micros = handOffMicros(what, ops);
    return micros == null || barePing == null || barePing.p50Micros().median() <= 0
        ? null
        : (Double) thousandths(micros / barePing.p50Micros().median());
  }

  /** Absent where the ping did nothing: there is no JSON for infinity. */
  private static @Nullable Double ratio(Spread figure, Spread ping) {
    return ping.median() > 0 ? (Double) thousandths(figure.median() / ping.median()) : null;
  }

  private static @Nullable Double share(OptionalDouble share) {
    return share.isPresent() ? (Double) thousandths(share.getAsDouble()) : null;
  }

  private static double tenths(double value) {
    return Math.round(value * TENTHS) / TENTHS;
  }

  private static double thousandths(double value) {
    return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
