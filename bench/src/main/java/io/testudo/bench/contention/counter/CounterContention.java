package io.testudo.bench.contention.counter;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.node.CommandException;
import io.testudo.node.Output;
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
      Output output)
      throws IOException {
    List<CounterCase> cases = options.cases(mode, servers, quick);
    CounterPlan plan = ObjectOptions.plan(seeds, quick);
    List<CounterFigures> measured = new ArrayList<>();
    output.text(CounterTable.heading());
    for (CounterCase one : cases) {
      try (TerminalProgress progress = TerminalProgress.onTerminal("")) {
        progress.accept("%d of %d: %s".formatted(measured.size() + 1, cases.size(), one));
        measured.add(CounterFigures.measure(one, plan));
      } catch (MeasurementException e) {
        throw new CommandException("%s: %s.".formatted(one, e.getMessage()), e);
      }
      CounterFigures figures = measured.get(measured.size() - 1);
      output.row(figures.fields().toMap(), CounterTable.line(figures));
    }
    if (plot != null) {
      CounterPlots.write(plot, measured);
    }
  }
}
