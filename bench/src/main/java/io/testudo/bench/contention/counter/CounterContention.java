package io.testudo.bench.contention.counter;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.report.BenchOutput;
import io.testudo.node.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures cases and shows them. */
public final class CounterContention {
  private CounterContention() {}

  /**
   * Measures what is asked for.
   *
   * @param mode one of the object's modes; all if null
   * @param servers of its cluster; the fewest that tolerate one liar if null
   * @param seeds how many runs of each case; the usual number if null
   * @param plot where the figures go as files; null for nowhere
   */
  public static void measure(
      ObjectOptions options,
      @Nullable String mode,
      @Nullable Integer servers,
      @Nullable Integer seeds,
      boolean quick,
      @Nullable Path plot,
      BenchOutput output)
      throws IOException {
    List<CounterCase> cases = options.cases(mode, servers, quick);
    CounterPlan plan = ObjectOptions.plan(seeds, quick);
    List<CounterFigures> measured = new ArrayList<>();
    output.text(CounterTable.heading());
    cases.forEach(one -> output.progress().expect(one.clients() + one.readers()));
    for (CounterCase one : cases) {
      output
          .progress()
          .begin(
              "%d of %d: %s".formatted(measured.size() + 1, cases.size(), one),
              one.clients() + one.readers());
      try {
        measured.add(CounterFigures.measure(one, plan));
      } catch (MeasurementException e) {
        throw new CommandException("%s: %s.".formatted(one, e.getMessage()), e);
      }
      CounterFigures figures = measured.get(measured.size() - 1);
      output.row(figures.fields().toMap(), CounterTable.line(figures));
    }
    output.verdict(
        "the counter has counted every increment that was answered, once",
        true,
        "checked at every answer and at the end; the run would have failed");
    CounterAims.judge(measured)
        .forEach(one -> output.verdict(one.aim(), one.reached(), one.measured()));
    if (plot != null) {
      CounterPlots.write(plot, measured);
    }
  }
}
