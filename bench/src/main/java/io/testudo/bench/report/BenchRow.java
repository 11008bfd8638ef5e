package io.testudo.bench.report;

import com.google.gson.annotations.SerializedName;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The row of the output contract; a field that does not apply is null, and absent from the output.
 * {@code Low} and {@code High} are the lowest and highest of the rounds, the figure itself is their
 * median.
 */
public record BenchRow(
    String bench,
    @SerializedName("case") String caseName,
    String system,
    @Nullable String backend,
    @Nullable String mode,
    int servers,
    int byzantine,
    int clients,
    double opsPerSecond,
    double p50Micros,
    double p99Micros,
    @Nullable Double floorOpsPerSecond,
    @Nullable Double floorP50Micros,
    @Nullable Double opsRatioToFloor,
    @Nullable Double p50RatioToFloor,
    double opsPerSecondLow,
    double opsPerSecondHigh,
    double p50MicrosLow,
    double p50MicrosHigh,
    double p99MicrosLow,
    double p99MicrosHigh,
    int rounds,
    double secondsPerRound,
    String loop,
    @Nullable Double offeredPerSecond,
    String connections,
    int answersAwaited,
    @Nullable Double otherCpuShare,
    int cores,
    long memoryMebibytes,
    String jdk,
    String os,
    String transport) {

  private static final double TENTHS = 10;
  private static final double THOUSANDTHS = 1_000;

  /**
   * The row of one contestant in one case.
   *
   * @param floor of the same case and run; null if there is none, or if this is the floor's own row
   */
  public static BenchRow of(
      BenchCase benchCase, Result result, @Nullable Result floor, MachineFacts machine) {
    Spread ops = result.opsPerSecond();
    Spread p50 = result.p50Micros();
    Spread p99 = result.p99Micros();
    return new BenchRow(
        benchCase.bench(),
        benchCase.caseName(),
        result.contestant().system(),
        result.contestant().backend(),
        result.contestant().mode(),
        benchCase.servers(),
        benchCase.byzantine(),
        benchCase.clients(),
        tenths(ops.median()),
        tenths(p50.median()),
        tenths(p99.median()),
        floor == null ? null : (Double) tenths(floor.opsPerSecond().median()),
        floor == null ? null : (Double) tenths(floor.p50Micros().median()),
        floor == null ? null : ratio(ops, floor.opsPerSecond()),
        floor == null ? null : ratio(p50, floor.p50Micros()),
        tenths(ops.low()),
        tenths(ops.high()),
        tenths(p50.low()),
        tenths(p50.high()),
        tenths(p99.low()),
        tenths(p99.high()),
        result.rounds(),
        benchCase.secondsPerRound(),
        benchCase.loop(),
        benchCase.offeredPerSecond(),
        benchCase.connections(),
        benchCase.answersAwaited(),
        share(result.otherCpuShare()),
        machine.cores(),
        machine.memoryMebibytes(),
        machine.jdk(),
        machine.os(),
        machine.transport());
  }

  /** Absent where the floor did nothing: there is no JSON for infinity. */
  private static @Nullable Double ratio(Spread figure, Spread floor) {
    return floor.median() > 0 ? (Double) thousandths(figure.median() / floor.median()) : null;
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
