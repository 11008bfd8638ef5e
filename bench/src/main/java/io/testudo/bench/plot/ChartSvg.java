package io.testudo.bench.plot;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.html.HtmlEscapers;
import com.google.errorprone.annotations.FormatMethod;
import io.testudo.bench.plot.Series.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Draws charts as SVG that is readable on a phone: narrow, the legend below, every figure with its
 * spread in the text of its element. Series differ in the shape of their marks, too, for those who
 * do not tell all colours apart.
 *
 * <p>Colours are classes, which the page defines for light and dark; a file of its own brings its
 * own style.
 */
public final class ChartSvg {
  private static final int WIDTH = 520;
  private static final int LEFT = 62;
  private static final int RIGHT = 502;
  private static final int PLOT_HEIGHT = 230;
  private static final int TITLE_HEIGHT = 34;
  private static final int TOP_GAP = 30;
  private static final int AXIS_HEIGHT = 46;
  private static final int LEGEND_STEP = 21;
  private static final int DOT_STEP = 38;
  private static final int DOTS_LEFT = 14;
  private static final int REACH = 13;
  private static final int SMALL_REACH = 5;

  /** Of one line; more would be drawn over each other. */
  private static final int MOST_LARGE_MARKS = 24;

  private static final int LETTERS_OF_A_TITLE = 62;
  private static final int LETTERS_OF_A_DOT = 50;
  private static final int LETTERS_OF_A_LEGEND = 58;

  /** So many classes of colours there are. */
  static final int COLOURS = 9;

  private static final String STYLE =
      """
      <style>
      svg{background:#fff;font:14px sans-serif}text{fill:#1b1f24}.grid{stroke:#e1e4e8}.axis{stroke:#57606a}
      .s0{--c:#0072b2}.s1{--c:#d55e00}.s2{--c:#009e73}.s3{--c:#b8578f}.s4{--c:#24292f}.s5{--c:#b87700}
      .s6{--c:#2b8fd0}.s7{--c:#7a5195}.s8{--c:#6e7781}
      .line{fill:none;stroke:var(--c);stroke-width:2}.mark{fill:var(--c)}
      .range{stroke:var(--c);stroke-width:3;stroke-opacity:.4}.dashed{stroke-dasharray:7 5}
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final int top;

  private ChartSvg(int linesOfTitle) {
    this.top = TOP_GAP + (linesOfTitle == 0 ? 0 : TITLE_HEIGHT + (linesOfTitle - 1) * LEGEND_STEP);
  }

  /** A file of its own. */
  public static String file(Chart chart) {
    return draw(chart, true) + "\n";
  }

  /** Writes a file of its own, if there is anything to plot. */
  public static void write(Path file, Chart.Lines chart) throws IOException {
    if (!chart.series().isEmpty()) {
      Files.writeString(file, file(chart), UTF_8);
    }
  }

  /** An element for a page that has the style and shows the title. */
  public static String element(Chart chart) {
    return draw(chart, false);
  }

  private static String draw(Chart chart, boolean isFile) {
    ImmutableList<String> title = isFile ? titleLines(chart.title()) : ImmutableList.of();
    ChartSvg drawing = new ChartSvg(title.size());
    int height;
    if (chart instanceof Chart.Lines lines) {
      height = drawing.lines(lines);
    } else if (chart instanceof Chart.Dots dots) {
      height = drawing.dots(dots);
    } else {
      throw new IllegalArgumentException("an unknown chart: " + chart);
    }
    String begin =
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                + " aria-label=\"%s\"%s>%n",
            WIDTH,
            height,
            escape(chart.title()),
            isFile ? format(" width=\"%d\" height=\"%d\"", WIDTH, height) : "");
    StringBuilder titleText = new StringBuilder();
    for (int i = 0; i < title.size(); i++) {
      titleText.append(text(DOTS_LEFT, 24 + i * LEGEND_STEP, "start", title.get(i)));
    }
    return begin + (isFile ? STYLE : "") + titleText + drawing.svg + "</svg>";
  }

  /** One, or two if it is long. */
  private static ImmutableList<String> titleLines(String title) {
    int end = title.lastIndexOf(' ', LETTERS_OF_A_TITLE);
    return title.length() <= LETTERS_OF_A_TITLE || end <= 0
        ? ImmutableList.of(clip(title, LETTERS_OF_A_TITLE))
        : ImmutableList.of(
            title.substring(0, end), clip(title.substring(end + 1), LETTERS_OF_A_TITLE));
  }

  private int lines(Chart.Lines chart) {
    ImmutableList<Point> all =
        chart.series().stream()
            .flatMap(one -> one.points().stream())
            .collect(ImmutableList.toImmutableList());
    checkArgument(!all.isEmpty(), "there is nothing to plot");
    Axis x = Axis.ofChoices(all.stream().mapToDouble(Point::x).toArray(), chart.scaleX());
    Axis y =
        Axis.ofFigures(
            all.stream()
                .flatMapToDouble(point -> DoubleStream.of(point.low(), point.high(), point.y()))
                .toArray(),
            chart.scaleY());
    int bottom = top + PLOT_HEIGHT;
    for (double tick : y.ticks()) {
      double at = bottom - y.share(tick) * PLOT_HEIGHT;
      svg.append(line("grid", LEFT, at, RIGHT, at));
      svg.append(text(LEFT - 7, at + 5, "end", Numbers.brief(tick)));
    }
    for (double tick : x.ticks()) {
      double at = LEFT + x.share(tick) * (RIGHT - LEFT);
      svg.append(line("axis", at, bottom, at, bottom + 5));
      // One at the right edge would be cut off.
      boolean isLast = at > RIGHT - 1;
      svg.append(
          text(
              isLast ? WIDTH - 4 : at,
              bottom + 20,
              isLast ? "end" : "middle",
              Numbers.brief(tick)));
    }
    svg.append(line("axis", LEFT, bottom, RIGHT, bottom));
    svg.append(text(DOTS_LEFT, top - 16, "start", chart.labelY()));
    for (Chart.Mark mark : chart.marks()) {
      double at = at(x, mark.x());
      svg.append(line("axis dashed", at, top - 4, at, bottom));
      svg.append(text(at + 4, top + 8, "start", mark.what()));
    }
    svg.append(text((LEFT + RIGHT) / 2.0, bottom + 40, "middle", chart.labelX()));
    int legend = bottom + AXIS_HEIGHT + 16;
    for (int i = 0; i < chart.series().size(); i++) {
      Series one = chart.series().get(i);
      svg.append(format("<g class=\"s%d\">%n", i % COLOURS));
      draw(one, i, x, y, bottom, chart.labelX());
      double at = legend + i * LEGEND_STEP;
      svg.append(
          line(one.dashed() ? "line dashed" : "line", DOTS_LEFT, at - 5, DOTS_LEFT + 30, at - 5));
      svg.append(one.dashed() ? "" : mark(i, DOTS_LEFT + 15, at - 5));
      svg.append(text(DOTS_LEFT + 40, at, "start", clip(one.name(), LETTERS_OF_A_LEGEND)));
      svg.append("</g>\n");
    }
    return legend + chart.series().size() * LEGEND_STEP;
  }

  private void draw(Series one, int number, Axis x, Axis y, int bottom, String labelX) {
    String path =
        one.points().stream()
            .map(point -> format("%.1f,%.1f", at(x, point.x()), bottom - up(y, point.y())))
            .collect(Collectors.joining(" "));
    svg.append(
        format(
            "<polyline class=\"line%s\" points=\"%s\"/>%n", one.dashed() ? " dashed" : "", path));
    for (Point point : one.dashed() ? ImmutableList.<Point>of() : one.points()) {
      double left = at(x, point.x());
      svg.append(
          point(
              "%s, %s %s: %s"
                  .formatted(
                      one.name(),
                      Numbers.full(point.x()),
                      labelX,
                      spread(point.y(), point.low(), point.high()))));
      if (point.high() > point.low()) {
        svg.append(
            line("range", left, bottom - up(y, point.low()), left, bottom - up(y, point.high())));
      }
      double high = bottom - up(y, point.y());
      boolean isDense = one.points().size() > MOST_LARGE_MARKS;
      svg.append(isDense ? smallMark(left, high) : mark(number, left, high));
      svg.append(reach(left, high, isDense ? SMALL_REACH : REACH)).append("</g>\n");
    }
  }

  private static double at(Axis x, double value) {
    return LEFT + x.share(value) * (RIGHT - LEFT);
  }

  private static double up(Axis y, double value) {
    return y.share(value) * PLOT_HEIGHT;
  }

  private int dots(Chart.Dots chart) {
    Axis axis =
        Axis.ofFigures(
            chart.dots().stream()
                .flatMapToDouble(dot -> DoubleStream.of(dot.low(), dot.value(), dot.high()))
                .toArray(),
            Chart.Scale.AUTOMATIC);
    int width = RIGHT - DOTS_LEFT - 10;
    int bottom = top + chart.dots().size() * DOT_STEP;
    svg.append(text(DOTS_LEFT, top - 16, "start", chart.label()));
    for (double tick : axis.ticks()) {
      double at = DOTS_LEFT + 5 + axis.share(tick) * width;
      svg.append(line("grid", at, top, at, bottom));
      svg.append(text(at, bottom + 20, "middle", Numbers.brief(tick)));
    }
    for (int i = 0; i < chart.dots().size(); i++) {
      Chart.Dot dot = chart.dots().get(i);
      double high = top + i * DOT_STEP + 30;
      svg.append(text(DOTS_LEFT, high - 13, "start", clip(dot.name(), LETTERS_OF_A_DOT)));
      svg.append(text(RIGHT, high - 13, "end", Numbers.full(dot.value())));
      svg.append("<g class=\"s0\">\n");
      svg.append(point("%s: %s".formatted(dot.name(), spread(dot.value(), dot.low(), dot.high()))));
      double left = DOTS_LEFT + 5 + axis.share(dot.low()) * width;
      svg.append(line("range", left, high, DOTS_LEFT + 5 + axis.share(dot.high()) * width, high));
      double at = DOTS_LEFT + 5 + axis.share(dot.value()) * width;
      svg.append(mark(0, at, high)).append(reach(at, high, REACH));
      svg.append("</g></g>\n");
    }
    return bottom + 30;
  }

  /** What a person sees who points at a figure. */
  private static String spread(double value, double low, double high) {
    return high > low
        ? "%s (%s to %s)".formatted(Numbers.full(value), Numbers.full(low), Numbers.full(high))
        : Numbers.full(value);
  }

  private static String point(String said) {
    return format("<g class=\"point\"><title>%s</title>", escape(said));
  }

  /** Wide enough for a finger, where others are not too near. */
  private static String reach(double x, double y, int radius) {
    return format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill-opacity=\"0\"/>", x, y, radius);
  }

  private static String smallMark(double x, double y) {
    return format("<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\"/>", x, y);
  }

  private static String mark(int series, double x, double y) {
    return switch (series % 4) {
      case 0 -> format("<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", x, y);
      case 1 ->
          format(
              "<rect class=\"mark\" x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\"/>",
              x - 4.5, y - 4.5);
      case 2 -> format("<path class=\"mark\" d=\"M%.1f %.1fl6 10h-12z\"/>", x, y - 6);
      default -> format("<path class=\"mark\" d=\"M%.1f %.1fl6 6-6 6-6-6z\"/>", x, y - 6);
    };
  }

  private static String line(String kind, double x1, double y1, double x2, double y2) {
    return format(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
        kind, x1, y1, x2, y2);
  }

  private static String text(double x, double y, String anchor, String said) {
    return format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escape(said));
  }

  private static String clip(String said, int letters) {
    return said.length() <= letters ? said : said.substring(0, letters - 1) + "\u2026";
  }

  private static String escape(String said) {
    return HtmlEscapers.htmlEscaper().escape(said);
  }

  @FormatMethod
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
  }
}
