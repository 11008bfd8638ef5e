package io.testudo.bench.contention;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.testudo.bench.measure.Spread;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a variant gave with so many contenders, over several seeds.
 *
 * @param amortisedUnits total time divided by turns, in units of hold + 2 delta; null if a run did
 *     not end
 */
record CurvePoint(
    ModelSettings settings,
    Variant variant,
    int contenders,
    int idleClients,
    ImmutableList<ContentionResult> runs,
    @Nullable Spread amortisedUnits) {
  private static final int LEAST_SEEDS = 3;

  /** Beyond so many for one figure, further seeds would take minutes and change little. */
  private static final long MAX_MESSAGES = 2_000_000L;

  /**
   * Runs the seeds from 1 on, on all cores; the figures do not depend on how many there are. Long
   * runs get fewer seeds.
   */
  static CurvePoint of(
      ModelSettings settings, Variant variant, int contenders, int idleClients, int seeds) {
    IntFunction<ContentionResult> run =
        seed -> ContentionRun.run(settings, variant, contenders, idleClients, seed);
    ImmutableList<ContentionResult> first = runAll(run, 1, Math.min(seeds, LEAST_SEEDS));
    long messages = first.stream().mapToLong(ContentionResult::messages).max().orElseThrow();
    boolean ended = first.stream().allMatch(ContentionResult::ended);
    int affordable = (int) Math.min(seeds, MAX_MESSAGES / Math.max(1, messages));
    ImmutableList<ContentionResult> runs =
        ImmutableList.<ContentionResult>builder()
            .addAll(first)
            .addAll(ended ? runAll(run, LEAST_SEEDS + 1, affordable) : ImmutableList.of())
            .build();
    return new CurvePoint(
        settings,
        variant,
        contenders,
        idleClients,
        runs,
        runs.stream().allMatch(ContentionResult::ended)
            ? spread(runs, settings.unitNanos())
            : null);
  }

  private static ImmutableList<ContentionResult> runAll(
      IntFunction<ContentionResult> run, int from, int to) {
    return IntStream.rangeClosed(from, to)
        .parallel()
        .mapToObj(run)
        .collect(ImmutableList.toImmutableList());
  }

  private static Spread spread(ImmutableList<ContentionResult> runs, double unitNanos) {
    return Spread.of(runs.stream().mapToDouble(run -> run.amortisedNanos() / unitNanos).toArray());
  }

  double meanUnits() {
    return runs.stream()
        .mapToDouble(run -> run.amortisedNanos() / settings.unitNanos())
        .average()
        .orElseThrow();
  }

  /** The mean in terms of the logarithm that the paper's bound grows with. */
  double ratioToLog() {
    return meanUnits() / log2(2.0 * contenders);
  }

  /** Of the waits of all runs together. */
  double waitMicros(double share) {
    long[] all =
        runs.stream()
            .map(ContentionResult::waitNanos)
            .flatMapToLong(ImmutableLongArray::stream)
            .sorted()
            .toArray();
    return all.length == 0
        ? 0
        : all[(int) Math.min(all.length - 1, (long) (share * all.length))] / 1e3;
  }

  double returningWaitUnits() {
    double[] waits =
        runs.stream().mapToDouble(run -> run.returningWaitNanos() / settings.unitNanos()).toArray();
    return Arrays.stream(waits).average().orElseThrow();
  }

  double messagesPerTurn() {
    return runs.stream()
        .mapToDouble(run -> (double) run.messages() / run.turns())
        .average()
        .orElseThrow();
  }

  int overlaps() {
    return runs.stream().mapToInt(ContentionResult::overlaps).sum();
  }

  static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }
}
