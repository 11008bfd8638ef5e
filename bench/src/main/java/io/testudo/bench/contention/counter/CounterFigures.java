package io.testudo.bench.contention.counter;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.testudo.bench.report.RowFields;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What a case gave over all its runs. All times are in round trips.
 *
 * @param perRoundTrip increments
 * @param messagesPerOperation of increments and reads
 */
record CounterFigures(
    CounterCase setup,
    double perRoundTrip,
    double p50,
    double p99,
    double max,
    double messagesPerOperation,
    @Nullable Double readP50,
    @Nullable Double readP99) {
  private static final double P50 = 0.50;
  private static final double P99 = 0.99;

  /** Runs the seeds from 1 on, on all cores; the figures do not depend on how many there are. */
  static CounterFigures measure(CounterCase setup, CounterPlan plan) {
    return of(
        setup,
        LongStream.rangeClosed(1, plan.seeds())
            .parallel()
            .mapToObj(seed -> CounterRun.run(setup, plan, seed))
            .collect(ImmutableList.toImmutableList()));
  }

  private static CounterFigures of(CounterCase setup, ImmutableList<CounterResult> runs) {
    double roundTripNanos = setup.roundTripNanos();
    long[] waits = sorted(runs, CounterResult::waitNanos);
    long[] reads = sorted(runs, CounterResult::readNanos);
    long increments = sum(runs, CounterResult::increments);
    return new CounterFigures(
        setup,
        increments * roundTripNanos / sum(runs, CounterResult::measuredNanos),
        share(waits, P50) / roundTripNanos,
        share(waits, P99) / roundTripNanos,
        waits[waits.length - 1] / roundTripNanos,
        (double) sum(runs, CounterResult::messages)
            / (increments + sum(runs, CounterResult::reads)),
        setup.readers() == 0 ? null : (Double) (share(reads, P50) / roundTripNanos),
        setup.readers() == 0 ? null : (Double) (share(reads, P99) / roundTripNanos));
  }

  private static long sum(ImmutableList<CounterResult> runs, ToLongFunction<CounterResult> figure) {
    return runs.stream().mapToLong(figure).sum();
  }

  private static long[] sorted(
      ImmutableList<CounterResult> runs, Function<CounterResult, ImmutableLongArray> times) {
    return runs.stream().map(times).flatMapToLong(ImmutableLongArray::stream).sorted().toArray();
  }

  private static double share(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, (long) (share * sorted.length))];
  }

  /** As rows of the output contract. */
  RowFields fields() {
    return new RowFields()
        .with("bench", "contention")
        .with("case", "object")
        .with("mode", setup.modeName())
        .with("turns", setup.turnsName())
        .with("servers", setup.thresholds().servers())
        .with("byzantine", setup.thresholds().faults())
        .with("clients", setup.clients())
        .with("readers", setup.readers())
        .with("roundTripMillis", setup.roundTripMillis())
        .with("thinkMillis", setup.thinkMillis())
        .with("fault", setup.fault() == null ? null : setup.fault().name())
        .with("inOrder", setup.inOrder() ? true : null)
        .with("costMicros", setup.computing().takesTime() ? setup.computing().costMicros() : null)
        .with("coresShared", setup.computing().takesTime() ? setup.computing().cores() : null)
        .with("opsPerRoundTrip", RowFields.thousandths(perRoundTrip))
        .with("p50RoundTrips", RowFields.thousandths(p50))
        .with("p99RoundTrips", RowFields.thousandths(p99))
        .with("maxRoundTrips", RowFields.thousandths(max))
        .with("messagesPerOperation", RowFields.thousandths(messagesPerOperation))
        .with("readP50RoundTrips", readP50 == null ? null : RowFields.thousandths(readP50))
        .with("readP99RoundTrips", readP99 == null ? null : RowFields.thousandths(readP99));
  }
}
