package io.testudo.bench.contention;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.measure.Spread;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Curves for people: a line for each, a column for each number of contenders. */
final class ContentionTable {
  private ContentionTable() {}

  static String heading(List<Integer> contenders) {
    return line(
        "contenders",
        contenders.stream().map(String::valueOf).collect(ImmutableList.toImmutableList()));
  }

  /** The lines of a curve: the median, its spread, and the mean beside the logarithm. */
  static ImmutableList<String> lines(String name, ImmutableList<CurvePoint> curve) {
    return ImmutableList.of(
        line(name, cells(curve, point -> number(spread(point).median()))),
        line("  lowest", cells(curve, point -> number(spread(point).low()))),
        line("  highest", cells(curve, point -> number(spread(point).high()))),
        line("  mean / log2 2m", cells(curve, point -> number(point.ratioToLog()))),
        line("  messages a turn", cells(curve, point -> number(point.messagesPerTurn()))));
  }

  /** What it is like for the one who comes again and again. */
  static String returningLine(ImmutableList<CurvePoint> curve) {
    return line("  its own mean wait", cells(curve, point -> number(point.returningWaitUnits())));
  }

  private static Spread spread(CurvePoint point) {
    if (point.amortisedUnits() == null) {
      throw new IllegalStateException("the runs did not end");
    }
    return point.amortisedUnits();
  }

  private static ImmutableList<String> cells(
      ImmutableList<CurvePoint> curve, Function<CurvePoint, String> figure) {
    return curve.stream()
        .map(point -> point.amortisedUnits() == null ? "no end" : figure.apply(point))
        .collect(ImmutableList.toImmutableList());
  }

  private static String line(String name, List<String> cells) {
    return String.format(Locale.ROOT, "%-42s", name)
        + cells.stream()
            .map(cell -> String.format(Locale.ROOT, "%9s", cell))
            .collect(Collectors.joining());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
  }
}
