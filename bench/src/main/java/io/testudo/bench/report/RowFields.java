package io.testudo.bench.report;

import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a row of the output contract, in order; one that does not apply is left out. {@code
 * Low} and {@code High} are the lowest and highest of the rounds, the figure itself is their
 * median.
 */
public final class RowFields {
  private static final double TENTHS = 10;
  private static final double THOUSANDTHS = 1_000;

  private final Map<String, Object> fields = new LinkedHashMap<>();

  public RowFields() {}

  public RowFields with(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
    return this;
  }

  /** What was reached. */
  public RowFields withFigures(Result result) {
    Spread ops = result.opsPerSecond();
    Spread p50 = result.p50Micros();
    Spread p99 = result.p99Micros();
    return with("opsPerSecond", tenths(ops.median()))
        .with("p50Micros", tenths(p50.median()))
        .with("p99Micros", tenths(p99.median()))
        .with("maxMicros", tenths(result.maxMicros().high()))
        .with("opsPerSecondLow", tenths(ops.low()))
        .with("opsPerSecondHigh", tenths(ops.high()))
        .with("p50MicrosLow", tenths(p50.low()))
        .with("p50MicrosHigh", tenths(p50.high()))
        .with("p99MicrosLow", tenths(p99.low()))
        .with("p99MicrosHigh", tenths(p99.high()))
        .with("rounds", result.rounds())
        .with("otherCpuShare", share(result.otherCpuShare()));
  }

  /** How it was measured. */
  public RowFields withPlan(Plan plan, String loop) {
    return with("secondsPerRound", plan.roundNanos() / 1e9).with("loop", loop);
  }

  /**
   * What something simpler reached in the same case and run.
   *
   * @param name at the beginning of the fields, such as floor
   */
  public RowFields withComparison(String name, Result simpler, Result result) {
    String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return with(name + "OpsPerSecond", tenths(simpler.opsPerSecond().median()))
        .with(name + "P50Micros", tenths(simpler.p50Micros().median()))
        .with("opsRatioTo" + capital, ratio(result.opsPerSecond(), simpler.opsPerSecond()))
        .with("p50RatioTo" + capital, ratio(result.p50Micros(), simpler.p50Micros()));
  }

  public RowFields withMachine(MachineFacts machine) {
    return with("cores", machine.cores())
        .with("memoryMebibytes", machine.memoryMebibytes())
        .with("jdk", machine.jdk())
        .with("os", machine.os())
        .with("transport", machine.transport());
  }

  /** As the output takes it. */
  public Map<String, Object> toMap() {
    return Collections.unmodifiableMap(fields);
  }

  /** Absent where the other did nothing: there is no JSON for infinity. */
  static @Nullable Double ratio(Spread figure, Spread other) {
    return other.median() > 0 ? (Double) thousandths(figure.median() / other.median()) : null;
  }

  static @Nullable Double share(OptionalDouble share) {
    return share.isPresent() ? (Double) thousandths(share.getAsDouble()) : null;
  }

  public static double tenths(double value) {
    return Math.round(value * TENTHS) / TENTHS;
  }

  public static double thousandths(double value) {
    return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
