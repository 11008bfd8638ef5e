package io.testudo.bench.page;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import io.testudo.bench.plot.Chart;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.MetricKind;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.Timeline;
import io.testudo.bench.results.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which plots say something about a group: a figure over a number that varies, with a line for each
 * of the other keys; or, where no number varies, a dot for each case.
 */
final class ChartChooser {
  /** What is drawn over, the first in doubt. */
  private static final ImmutableList<String> OVER =
      ImmutableList.of(
          "clients",
          "operations",
          "requestsPerSecond",
          "servers",
          "nodes",
          "idleClients",
          "locks",
          "objects",
          "connections");

  /**
   * Keys that say which kind a figure is of, where the figures of one name are of several: those
   * have no axis in common, and get a plot each.
   */
  private static final ImmutableList<String> KINDS = ImmutableList.of("figure", "kind", "unit");

  /** Of courses: a line for each value of this, a plot for each of the rest. */
  private static final String LINES_OF_COURSES = "system";

  /** Of longer courses means of neighbours are drawn: single values of several hide each other. */
  private static final int MOST_SINGLE_VALUES = 24;

  private static final int REACH_OF_A_MEAN = 2;
  private static final int MOST_SERIES = 8;
  private static final int MOST_DOTS = 16;

  private final CaseGroup group;

  private ChartChooser(CaseGroup group) {
    this.group = group;
  }

  static ImmutableList<Chart> charts(CaseGroup group) {
    ChartChooser chooser = new ChartChooser(group);
    ImmutableList.Builder<Chart> charts = ImmutableList.builder();
    chooser.addCourses(charts);
    for (String metric : group.metrics()) {
      if (MetricKind.of(metric).map(MetricKind::isPlotted).orElse(false)) {
        List<ResultCase> with =
            group.cases().stream().filter(one -> one.metric(metric).isPresent()).toList();
        chooser.addByKind(charts, metric, with);
      }
    }
    return charts.build();
  }

  private void addByKind(
      ImmutableList.Builder<Chart> charts, String metric, List<ResultCase> cases) {
    Optional<String> kind = KINDS.stream().filter(group.columns()::contains).findFirst();
    if (kind.isEmpty()) {
      add(charts, metric, cases, group.columns(), "");
      return;
    }
    String by = kind.get();
    List<String> others = group.columns().stream().filter(key -> !key.equals(by)).toList();
    for (String value : CaseGroup.values(cases, by)) {
      add(
          charts,
          metric,
          cases.stream().filter(one -> CaseGroup.value(one, by).equals(value)).toList(),
          others,
          value.isEmpty() ? "" : ", " + said(by, value));
    }
  }

  /** How figures went in the course of cases. */
  private void addCourses(ImmutableList.Builder<Chart> charts) {
    List<String> others =
        group.columns().stream().filter(key -> !key.equals(LINES_OF_COURSES)).toList();
    Map<String, List<ResultCase>> plots = new LinkedHashMap<>();
    for (ResultCase one : group.cases()) {
      if (one.timeline() != null) {
        plots.computeIfAbsent(name(one, others), any -> new ArrayList<>()).add(one);
      }
    }
    plots.forEach(
        (name, cases) -> {
          Timeline first = Objects.requireNonNull(cases.get(0).timeline());
          ImmutableList.Builder<Chart.Mark> marks = ImmutableList.builder();
          first.marks().forEach((what, at) -> marks.add(new Chart.Mark(at, what)));
          charts.add(
              new Chart.Lines(
                  "%s, %s".formatted(group.title(), name),
                  "seconds",
                  Chart.Scale.LINEAR,
                  first.label(),
                  Chart.Scale.LINEAR,
                  cases.stream().map(ChartChooser::course).collect(ImmutableList.toImmutableList()),
                  marks.build()));
        });
  }

  private static Series course(ResultCase one) {
    Timeline timeline = Objects.requireNonNull(one.timeline());
    int length = timeline.values().length();
    int reach = length > MOST_SINGLE_VALUES ? REACH_OF_A_MEAN : 0;
    ImmutableList.Builder<Point> points = ImmutableList.builder();
    for (int i = 0; i < length; i++) {
      double mean =
          timeline
              .values()
              .subArray(Math.max(0, i - reach), Math.min(length, i + reach + 1))
              .stream()
              .average()
              .orElseThrow();
      points.add(
          Point.exact(timeline.firstSeconds() + (i + 0.5) * timeline.secondsPerValue(), mean));
    }
    return new Series(one.keys().getOrDefault(LINES_OF_COURSES, one.name()), points.build(), false);
  }

  private void add(
      ImmutableList.Builder<Chart> charts,
      String metric,
      List<ResultCase> cases,
      List<String> keys,
      String restriction) {
    if (cases.size() < 2) {
      return;
    }
    List<String> varying =
        keys.stream().filter(key -> CaseGroup.values(cases, key).size() > 1).toList();
    Optional<String> over = over(cases, varying);
    List<String> others =
        varying.stream().filter(key -> over.isEmpty() || !key.equals(over.get())).toList();
    int names = (int) cases.stream().map(one -> name(one, others)).distinct().count();
    if (names > (over.isPresent() ? MOST_SERIES : MOST_DOTS) && others.size() > 1) {
      divide(charts, metric, cases, keys, others, restriction);
      return;
    }
    String title = title(metric, restriction);
    charts.add(
        over.isPresent()
            ? lines(title, metric, cases, over.get(), others)
            : dots(title, metric, cases, others));
  }

  /** Too many for one: a chart for each value of the key that has the fewest. */
  private void divide(
      ImmutableList.Builder<Chart> charts,
      String metric,
      List<ResultCase> cases,
      List<String> keys,
      List<String> others,
      String restriction) {
    String by =
        others.stream()
            .min(Comparator.comparingInt(key -> CaseGroup.values(cases, key).size()))
            .orElseThrow();
    for (String value : CaseGroup.values(cases, by)) {
      add(
          charts,
          metric,
          cases.stream().filter(one -> CaseGroup.value(one, by).equals(value)).toList(),
          keys,
          restriction + (value.isEmpty() ? "" : ", " + said(by, value)));
    }
  }

  private static Optional<String> over(List<ResultCase> cases, List<String> varying) {
    return OVER.stream()
        .filter(varying::contains)
        .filter(
            key ->
                cases.stream().allMatch(one -> Doubles.tryParse(CaseGroup.value(one, key)) != null))
        .max(
            Comparator.<String>comparingInt(key -> CaseGroup.values(cases, key).size())
                .thenComparing(Comparator.comparing(OVER::indexOf).reversed()));
  }

  private static Chart lines(
      String title, String metric, List<ResultCase> cases, String over, List<String> others) {
    Map<String, List<Point>> series = new LinkedHashMap<>();
    for (ResultCase one : cases) {
      Metric figure = one.metric(metric).orElseThrow();
      series
          .computeIfAbsent(name(one, others), any -> new ArrayList<>())
          .add(
              new Point(
                  Double.parseDouble(CaseGroup.value(one, over)),
                  figure.value(),
                  figure.low(),
                  figure.high()));
    }
    ImmutableList.Builder<Series> built = ImmutableList.builder();
    series.forEach(
        (name, points) ->
            built.add(
                new Series(
                    name,
                    ImmutableList.sortedCopyOf(Comparator.comparingDouble(Point::x), points),
                    false)));
    return new Chart.Lines(title, Words.of(over), MetricKind.labelWithUnit(metric), built.build());
  }

  private static Chart dots(
      String title, String metric, List<ResultCase> cases, List<String> others) {
    ImmutableList.Builder<Chart.Dot> dots = ImmutableList.builder();
    for (ResultCase one : cases) {
      Metric figure = one.metric(metric).orElseThrow();
      dots.add(new Chart.Dot(name(one, others), figure.value(), figure.low(), figure.high()));
    }
    return new Chart.Dots(title, MetricKind.labelWithUnit(metric), dots.build());
  }

  private static String name(ResultCase one, List<String> keys) {
    String name =
        keys.stream()
            .filter(key -> !CaseGroup.value(one, key).isEmpty())
            .map(key -> said(key, CaseGroup.value(one, key)))
            .distinct()
            .collect(Collectors.joining(", "));
    return name.isEmpty() ? one.bench() : name;
  }

  /** A number says nothing without its name; a word does. */
  private static String said(String key, String value) {
    boolean isPlain = Doubles.tryParse(value) == null && !value.matches("true|false");
    return isPlain ? value : Words.of(key, value);
  }

  private String title(String metric, String restriction) {
    return group.title() + restriction + ": " + MetricKind.labelOf(metric);
  }
}
