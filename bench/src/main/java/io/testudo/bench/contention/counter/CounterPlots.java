package io.testudo.bench.contention.counter;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot;
import io.testudo.bench.plot.SvgPlot.Scale;
import io.testudo.ordering.client.TurnsBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures over the number of clients as files, where all goes well and ranks decide. */
final class CounterPlots {
  private static final String CLIENTS = "clients";

  private CounterPlots() {}

  /** A file for each mode and kind of figure. */
  static void write(Path directory, List<CounterFigures> measured) throws IOException {
    Files.createDirectories(directory);
    Map<String, List<CounterFigures>> byMode = new LinkedHashMap<>();
    for (CounterFigures figures : measured) {
      CounterCase setup = figures.setup();
      if (setup.turns() == TurnsBy.RANK
          && setup.fault() == null
          && setup.readers() == 0
          && setup.thinkNanos() == 0) {
        byMode.computeIfAbsent(setup.modeName(), any -> new ArrayList<>()).add(figures);
      }
    }
    for (Map.Entry<String, List<CounterFigures>> mode : byMode.entrySet()) {
      String prefix = "contention-object-" + mode.getKey();
      SvgPlot.write(
          directory.resolve(prefix + "-rate.svg"),
          "Increments of one counter in a round trip, " + mode.getKey(),
          CLIENTS,
          "increments / round trip",
          Scale.LOGARITHMIC,
          series(mode.getValue(), CounterFigures::perRoundTrip));
      SvgPlot.write(
          directory.resolve(prefix + "-p99.svg"),
          "99 % of increments take at most, " + mode.getKey(),
          CLIENTS,
          "round trips",
          Scale.LOGARITHMIC,
          series(mode.getValue(), CounterFigures::p99));
    }
  }

  private static ImmutableList<Series> series(
      List<CounterFigures> measured, ToDoubleFunction<CounterFigures> figure) {
    Map<Double, ImmutableList.Builder<Point>> byRoundTrip = new LinkedHashMap<>();
    for (CounterFigures figures : measured) {
      byRoundTrip
          .computeIfAbsent(figures.setup().roundTripMillis(), any -> ImmutableList.builder())
          .add(Point.exact(figures.setup().clients(), figure.applyAsDouble(figures)));
    }
    return byRoundTrip.entrySet().stream()
        .map(
            line ->
                new Series(
                    String.format(Locale.ROOT, "round trip %s ms", line.getKey()),
                    line.getValue().build(),
                    false))
        .collect(toImmutableList());
  }
}
