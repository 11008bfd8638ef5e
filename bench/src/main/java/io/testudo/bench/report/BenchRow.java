package io.testudo.bench.report;

import com.google.gson.annotations.SerializedName;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
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
        RowFields.tenths(ops.median()),
        RowFields.tenths(p50.median()),
        RowFields.tenths(p99.median()),
        floor == null ? null : (Double) RowFields.tenths(floor.opsPerSecond().median()),
        floor == null ? null : (Double) RowFields.tenths(floor.p50Micros().median()),
        floor == null ? null : RowFields.ratio(ops, floor.opsPerSecond()),
        floor == null ? null : RowFields.ratio(p50, floor.p50Micros()),
        RowFields.tenths(ops.low()),
        RowFields.tenths(ops.high()),
        RowFields.tenths(p50.low()),
        RowFields.tenths(p50.high()),
        RowFields.tenths(p99.low()),
        RowFields.tenths(p99.high()),
        result.rounds(),
        benchCase.secondsPerRound(),
        benchCase.loop(),
        benchCase.offeredPerSecond(),
        benchCase.connections(),
        benchCase.answersAwaited(),
        RowFields.share(result.otherCpuShare()),
        machine.cores(),
        machine.memoryMebibytes(),
        machine.jdk(),
        machine.os(),
        machine.transport());
  }
}
