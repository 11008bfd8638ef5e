package io.testudo.bench.contention;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot;
import io.testudo.bench.plot.SvgPlot.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The curves as files; each is written if there is a curve for it. */
final class ContentionFigures {
  private static final String CONTENDERS = "contenders m";
  private static final String UNITS = "amortised time / (hold + 2 delta)";
  private static final Set<String> LAWS = Set.of("plain", "polynomial", "constant");
  private static final Set<String> RELEASES =
      Set.of("plain", "nothing-given-back", "tenth-used", "tenth-used-early-release");
  private static final Set<String> FROM_PLAIN =
      Set.of(
          "plain", "observed-unit", "waiting-list", "keeps-late", "longest-hold", "early-release");

  private ContentionFigures() {}

  static void write(Path directory, List<Curve> variants, List<Curve> populations)
      throws IOException {
    Files.createDirectories(directory);
    plot(
        directory.resolve("contention-plain.svg"),
        "The paper's protocol: m turns cost about m log m",
        Scale.LINEAR,
        withLogarithm(chosen(variants, "plain"::equals, true)));
    plot(
        directory.resolve("contention-laws.svg"),
        "Laws of backoff",
        Scale.LOGARITHMIC,
        chosen(variants, LAWS::contains, false));
    plot(
        directory.resolve("contention-release.svg"),
        "What is given back, and when",
        Scale.LOGARITHMIC,
        chosen(variants, RELEASES::contains, false));
    plot(
        directory.resolve("contention-improvements.svg"),
        "The paper's protocol with one thing changed",
        Scale.LOGARITHMIC,
        chosen(variants, FROM_PLAIN::contains, false));
    plot(
        directory.resolve("contention-standard.svg"),
        "What applications get, and without one part",
        Scale.LOGARITHMIC,
        chosen(
            variants, name -> name.startsWith("standard") && !name.contains("returning"), false));
    plot(
        directory.resolve("contention-population.svg"),
        "Only contenders count: the curves of all populations coincide",
        Scale.LINEAR,
        populations(populations));
  }

  private static void plot(Path file, String title, Scale scale, ImmutableList<Series> series)
      throws IOException {
    SvgPlot.write(file, title, CONTENDERS, UNITS, scale, series);
  }

  private static ImmutableList<Series> chosen(
      List<Curve> curves, Predicate<String> names, boolean withSpread) {
    return curves.stream()
        .filter(curve -> names.test(curve.variant().name()))
        .map(curve -> series(curve.variant().name(), curve, withSpread))
        .filter(series -> !series.points().isEmpty())
        .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<Series> populations(List<Curve> curves) {
    return curves.stream()
        .map(
            curve ->
                series(
                    "%s, %,d idle".formatted(curve.variant().name(), curve.idleClients()),
                    curve,
                    false))
        .filter(series -> !series.points().isEmpty())
        .collect(ImmutableList.toImmutableList());
  }

  private static Series series(String name, Curve curve, boolean withSpread) {
    ImmutableList.Builder<Point> points = ImmutableList.builder();
    for (CurvePoint point : curve.points()) {
      Spread units = point.amortisedUnits();
      if (units != null) {
        points.add(
            withSpread
                ? new Point(point.contenders(), units.median(), units.low(), units.high())
                : Point.exact(point.contenders(), units.median()));
      }
    }
    return new Series(name, points.build(), false);
  }

  /** Adds what the bound grows like, to compare. */
  private static ImmutableList<Series> withLogarithm(ImmutableList<Series> measured) {
    if (measured.isEmpty()) {
      return measured;
    }
    ImmutableList<Point> line =
        measured.get(0).points().stream()
            .map(point -> Point.exact(point.x(), CurvePoint.log2(2 * point.x())))
            .collect(ImmutableList.toImmutableList());
    return ImmutableList.<Series>builder()
        .addAll(measured)
        .add(new Series("log2 2m", line, true))
        .build();
  }
}
