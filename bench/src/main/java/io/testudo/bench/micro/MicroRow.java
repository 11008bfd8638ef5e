package io.testudo.bench.micro;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.report.Rounds;
import io.testudo.bench.report.RowFields;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What one benchmark gave.
 *
 * @param operation the name of its method
 * @param choices its parameters
 */
record MicroRow(
    String part,
    String operation,
    ImmutableMap<String, String> choices,
    Spread nanos,
    double allocatedBytes) {
  private static final String COLUMNS = "%-9s %-15s %-12s %12s %25s %14s";
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  static MicroRow of(String part, RunResult result) {
    ImmutableDoubleArray.Builder rounds = ImmutableDoubleArray.builder();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        rounds.add(iteration.getPrimaryResult().getScore());
      }
    }
    BenchmarkParams asked = result.getParams();
    ImmutableMap.Builder<String, String> choices = ImmutableMap.builder();
    asked.getParamsKeys().forEach(key -> choices.put(key, asked.getParam(key)));
    String name = asked.getBenchmark();
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    return new MicroRow(
        part,
        name.substring(name.lastIndexOf('.') + 1),
        choices.buildOrThrow(),
        Spread.of(rounds.build().toArray()),
        allocated == null ? 0 : allocated.getScore());
  }

  Map<String, Object> fields(double secondsPerRound, MachineFacts machine) {
    RowFields fields =
        new RowFields()
            .with("bench", "micro")
            .with("case", part)
            .with("system", "testudo")
            .with("operation", operation);
    choices.forEach((key, value) -> fields.with(key, Integer.valueOf(value)));
    return fields
        .with("nanosPerOperation", RowFields.tenths(nanos.median()))
        .with("nanosPerOperationLow", RowFields.tenths(nanos.low()))
        .with("nanosPerOperationHigh", RowFields.tenths(nanos.high()))
        .with("allocatedBytesPerOperation", RowFields.tenths(allocatedBytes))
        .with("rounds", nanos.rounds().length())
        .with("secondsPerRound", secondsPerRound)
        .withMachine(machine)
        .toMap();
  }

  Rounds rounds() {
    return Rounds.none().with("nanosPerOperation", nanos.rounds());
  }

  static String heading() {
    return COLUMNS.formatted("part", "operation", "", "ns", "(low .. high)", "allocated");
  }

  String line() {
    String said = choices.toString();
    return COLUMNS.formatted(
        part,
        operation,
        choices.isEmpty() ? "" : said.substring(1, said.length() - 1),
        number(nanos.median()),
        "(%s .. %s)".formatted(number(nanos.low()), number(nanos.high())),
        number(allocatedBytes));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }
}
