package io.testudo.bench.contention;

import com.google.gson.annotations.SerializedName;
import io.testudo.bench.measure.Spread;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The row of the output contract; all times are virtual. A field that does not apply is null, and
 * absent from the output. docs/contention.md says what each means.
 */
record ContentionRow(
    String bench,
    @SerializedName("case") String caseName,
    String system,
    String backend,
    String mode,
    int servers,
    int byzantine,
    int clients,
    int idleClients,
    String variant,
    String law,
    boolean waitingList,
    boolean discardLate,
    boolean holdPerCall,
    boolean paperUnit,
    String givesBack,
    double usedShare,
    @Nullable Boolean persistentClient,
    double holdMillis,
    double deltaMillis,
    double refreshMillis,
    String delays,
    @Nullable Double turnsPerUnit,
    int seeds,
    boolean ended,
    int overlaps,
    @Nullable Double amortisedMillis,
    @Nullable Double amortisedUnits,
    @Nullable Double amortisedUnitsLow,
    @Nullable Double amortisedUnitsHigh,
    @Nullable Double amortisedUnitsMean,
    @Nullable Double ratioToLog,
    @Nullable Double opsPerSecond,
    @Nullable Double p50Micros,
    @Nullable Double p99Micros,
    @Nullable Double returningWaitUnits,
    @Nullable Double messagesPerTurn) {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double THOUSANDTHS = 1_000;

  static ContentionRow of(String caseName, CurvePoint point) {
    ModelSettings settings = point.settings();
    Variant variant = point.variant();
    Spread units = point.amortisedUnits();
    double unitNanos = settings.unitNanos();
    return new ContentionRow(
        "contention",
        caseName,
        "testudo",
        "backoff",
        settings.thresholds().need().modeName(),
        settings.thresholds().servers(),
        settings.thresholds().faults(),
        point.contenders(),
        point.idleClients(),
        variant.name(),
        variant.law(),
        variant.tuning().waitingList(),
        !variant.keepsLate(),
        variant.tuning().holdPerCall(),
        variant.tuning().paperUnit(),
        variant.givingBack().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        variant.usedShare(),
        variant.returns() ? (Boolean) variant.persists() : null,
        settings.holdNanos() / NANOS_PER_MILLI,
        settings.deltaNanos() / NANOS_PER_MILLI,
        settings.refreshNanos() / NANOS_PER_MILLI,
        settings.delays().name().toLowerCase(Locale.ROOT),
        settings.turnsPerUnit(),
        point.runs().size(),
        units != null,
        point.overlaps(),
        units == null ? null : round(units.median() * unitNanos / NANOS_PER_MILLI),
        units == null ? null : round(units.median()),
        units == null ? null : round(units.low()),
        units == null ? null : round(units.high()),
        units == null ? null : round(point.meanUnits()),
        units == null ? null : round(point.ratioToLog()),
        units == null ? null : round(NANOS_PER_SECOND / (units.median() * unitNanos)),
        units == null ? null : round(point.waitMicros(0.50)),
        units == null ? null : round(point.waitMicros(0.99)),
        units == null || !variant.returns() ? null : round(point.returningWaitUnits()),
        units == null ? null : round(point.messagesPerTurn()));
  }

  private static Double round(double value) {
    return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
