package io.testudo.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.testudo.bench.plot.Chart;
import io.testudo.bench.plot.Series;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.SampleResults;
import io.testudo.bench.results.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChartChooserTest {
  private static ResultCase of(Map<String, String> keys) {
    return new ResultCase(
        "bench",
        "case",
        ImmutableMap.copyOf(keys),
        ImmutableMap.of(),
        false,
        null,
        ImmutableList.of(SampleResults.rate(1, 2, 3)));
  }

  private static List<Chart> charts(List<ResultCase> cases) {
    return ChartChooser.charts(CaseGroup.of(cases).get(0));
  }

  @Test
  void aNumberThatVariesIsDrawnOver() {
    List<Chart> charts =
        charts(
            List.of(
                of(ImmutableMap.of("clients", "8", "use", "async")),
                of(ImmutableMap.of("clients", "1", "use", "async")),
                of(ImmutableMap.of("clients", "1", "use", "blocking")),
                of(ImmutableMap.of("clients", "8", "use", "blocking"))));

    assertThat(charts).hasSize(1);
    Chart.Lines lines = (Chart.Lines) charts.get(0);
    assertThat(lines.labelX()).isEqualTo("clients");
    assertThat(lines.series()).extracting(Series::name).containsExactly("async", "blocking");
    assertThat(lines.series().get(0).points())
        .extracting(Series.Point::x)
        .containsExactly(1.0, 8.0);
  }

  @Test
  void wordsThatVaryAreDots() {
    List<Chart> charts =
        charts(
            List.of(
                of(ImmutableMap.of("system", "floor", "mode", "floor", "clients", "1")),
                of(ImmutableMap.of("system", "testudo", "mode", "hmac", "clients", "1"))));

    assertThat(((Chart.Dots) charts.get(0)).dots())
        .extracting(Chart.Dot::name)
        .containsExactly("floor", "testudo");
  }

  @Test
  void whatOneKeySaysNoOtherRepeats() {
    CaseGroup group =
        CaseGroup.of(
                List.of(
                    of(ImmutableMap.of("variant", "a", "list", "true", "law", "x", "n", "4")),
                    of(ImmutableMap.of("variant", "b", "list", "false", "law", "x", "n", "4"))))
            .get(0);

    assertThat(group.columns()).containsExactly("variant");
    assertThat(group.commonText()).isEqualTo("law x, n 4");
  }

  @Test
  void tooManyLinesAreDividedAmongCharts() {
    List<ResultCase> cases = new ArrayList<>();
    for (int servers : new int[] {4, 6}) {
      for (int clients : new int[] {1, 2, 4}) {
        for (int mode = 0; mode < 6; mode++) {
          cases.add(
              of(
                  ImmutableMap.of(
                      "servers", "" + servers, "clients", "" + clients, "mode", "m" + mode)));
        }
      }
    }

    assertThat(charts(cases))
        .extracting(Chart::title)
        .containsExactly(
            "bench: case, servers 4: operations/s", "bench: case, servers 6: operations/s");
  }

  @Test
  void oneCaseNeedsNoChart() {
    assertThat(charts(List.of(of(ImmutableMap.of("clients", "1"))))).isEmpty();
  }

  @Test
  void figuresOfSeveralKindsGetAPlotEach() {
    List<Chart> charts =
        charts(
            List.of(
                of(ImmutableMap.of("figure", "rate", "protocol", "a")),
                of(ImmutableMap.of("figure", "rate", "protocol", "b")),
                of(ImmutableMap.of("figure", "probability", "protocol", "a")),
                of(ImmutableMap.of("figure", "probability", "protocol", "b"))));

    assertThat(charts)
        .extracting(Chart::title)
        .containsExactly(
            "bench: case, rate: operations/s", "bench: case, probability: operations/s");
    assertThat(((Chart.Dots) charts.get(0)).dots())
        .extracting(Chart.Dot::name)
        .containsExactly("a", "b");
  }

  @Test
  void coursesAreDrawnOverTimeWithALineForEachSystem() {
    Timeline course =
        new Timeline(
            "rate : before",
            -0.2,
            0.1,
            ImmutableMap.of("begins", 0.0),
            ImmutableDoubleArray.of(1, 1, 0.5));
    List<Chart> charts =
        charts(
            List.of(
                of(ImmutableMap.of("system", "a", "harm", "kill")).withTimeline(course),
                of(ImmutableMap.of("system", "b", "harm", "kill")).withTimeline(course),
                of(ImmutableMap.of("system", "a", "harm", "stop")).withTimeline(course)));

    assertThat(charts)
        .extracting(Chart::title)
        .startsWith("bench: case, kill", "bench: case, stop");
    Chart.Lines kill = (Chart.Lines) charts.get(0);
    assertThat(kill.series()).extracting(Series::name).containsExactly("a", "b");
    assertThat(kill.series().get(0).points().get(2).x()).isCloseTo(0.05, within(1e-9));
    assertThat(kill.marks()).containsExactly(new Chart.Mark(0, "begins"));
  }

  @Test
  void longCoursesAreDrawnAsMeansOfNeighbours() {
    double[] values = new double[30];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 5 == 0 ? 5 : 0;
    }
    Timeline course =
        new Timeline("rate", 0, 0.1, ImmutableMap.of(), ImmutableDoubleArray.copyOf(values));
    Chart.Lines lines =
        (Chart.Lines)
            charts(
                    List.of(
                        of(ImmutableMap.of("system", "a", "harm", "kill")).withTimeline(course),
                        of(ImmutableMap.of("system", "b", "harm", "kill")).withTimeline(course)))
                .get(0);

    assertThat(lines.series().get(0).points().subList(2, 28))
        .allMatch(point -> Math.abs(point.y() - 1) < 1e-9);
  }
}
