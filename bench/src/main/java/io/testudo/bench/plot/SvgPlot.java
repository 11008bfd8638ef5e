package io.testudo.bench.plot;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.html.HtmlEscapers;
import com.google.errorprone.annotations.FormatMethod;
import io.testudo.bench.plot.Series.Point;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** A plot with a legend at its right, and bars for the spread. */
public final class SvgPlot {
  private static final int WIDTH = 1_080;
  private static final int HEIGHT = 540;
  private static final int LEFT = 80;
  private static final int RIGHT = 690;
  private static final int TOP = 60;
  private static final int BOTTOM = 470;
  private static final int LEGEND_STEP = 22;
  private static final int MOST_TICKS = 8;
  private static final MathContext TICK_DIGITS = new MathContext(3);

  /** Told apart by most people who do not see all colours (after Okabe and Ito). */
  private static final ImmutableList<String> COLOURS =
      ImmutableList.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7a5195",
          "#999999");

  /** How large figures are drawn. */
  public enum Scale {
    LINEAR,
    /** Base 2, for series that differ by magnitudes. All figures are above 0. */
    LOGARITHMIC
  }

  private final String title;
  private final String labelX;
  private final String labelY;
  private final Scale scaleX;
  private final Scale scale;
  private final ImmutableList<Series> series;
  private final double lowX;
  private final double highX;
  private final double lowY;
  private final double highY;
  private final double step;
  private final double stepX;

  private SvgPlot(
      String title,
      String labelX,
      Scale scaleX,
      String labelY,
      Scale scale,
      ImmutableList<Series> series) {
    this.title = title;
    this.labelX = labelX;
    this.scaleX = scaleX;
    this.labelY = labelY;
    this.scale = scale;
    this.series = series;
    ImmutableList<Point> all =
        series.stream()
            .flatMap(one -> one.points().stream())
            .collect(ImmutableList.toImmutableList());
    checkArgument(!all.isEmpty(), "there is nothing to plot");
    double mostX = all.stream().mapToDouble(Point::x).max().orElseThrow();
    if (scaleX == Scale.LINEAR) {
      this.stepX = niceStep(mostX / MOST_TICKS);
      this.lowX = 0;
      this.highX = Math.max(1, Math.ceil(mostX / stepX)) * stepX;
    } else {
      this.stepX = 1;
      this.lowX = log2(all.stream().mapToDouble(Point::x).min().orElseThrow());
      this.highX = Math.max(lowX + 1, log2(mostX));
    }
    double most = all.stream().mapToDouble(Point::high).max().orElseThrow();
    double least = all.stream().mapToDouble(Point::low).min().orElseThrow();
    if (scale == Scale.LINEAR) {
      this.step = niceStep(most / MOST_TICKS);
      this.lowY = 0;
      this.highY = Math.max(1, Math.ceil(most / step)) * step;
    } else {
      this.lowY = Math.floor(log2(least));
      this.highY = Math.max(lowY + 1, Math.ceil(log2(most)));
      this.step = Math.max(1, Math.ceil((highY - lowY) / (2 * MOST_TICKS)));
    }
  }

  /** The text of the file, with a logarithmic x-axis of base 2. */
  public static String svg(
      String title, String labelX, String labelY, Scale scale, ImmutableList<Series> series) {
    return svg(title, labelX, Scale.LOGARITHMIC, labelY, scale, series);
  }

  /** Writes the file, with a logarithmic x-axis of base 2, if there is anything to plot. */
  public static void write(
      Path file,
      String title,
      String labelX,
      String labelY,
      Scale scale,
      ImmutableList<Series> series)
      throws IOException {
    if (!series.isEmpty()) {
      Files.writeString(file, svg(title, labelX, labelY, scale, series), UTF_8);
    }
  }

  /** The text of the file. */
  public static String svg(
      String title,
      String labelX,
      Scale scaleX,
      String labelY,
      Scale scaleY,
      ImmutableList<Series> series) {
    return new SvgPlot(title, labelX, scaleX, labelY, scaleY, series).text();
  }

  private String text() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"14\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
    svg.append(format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, HEIGHT));
    svg.append(label(LEFT, 32, "start", "font-size=\"18\"", title));
    axes(svg);
    for (int i = 0; i < series.size(); i++) {
      draw(svg, series.get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    for (double x = Math.ceil(lowX); x <= highX + stepX / 1e6; x += stepX) {
      double at = LEFT + (x - lowX) / (highX - lowX) * (RIGHT - LEFT);
      svg.append(rule(at, TOP, at, BOTTOM, "#e0e0e0"));
      svg.append(
          label(
              at, BOTTOM + 22, "middle", "", number(scaleX == Scale.LINEAR ? x : Math.pow(2, x))));
    }
    for (double y = lowY; y <= highY + step / 2; y += step) {
      double at = BOTTOM - (y - lowY) / (highY - lowY) * (BOTTOM - TOP);
      svg.append(rule(LEFT, at, RIGHT, at, "#e0e0e0"));
      double shown = scale == Scale.LINEAR ? y : Math.pow(2, y);
      svg.append(label(LEFT - 10, at + 5, "end", "", number(shown)));
    }
    svg.append(rule(LEFT, BOTTOM, RIGHT, BOTTOM, "#404040"));
    svg.append(rule(LEFT, TOP, LEFT, BOTTOM, "#404040"));
    svg.append(label((LEFT + RIGHT) / 2.0, BOTTOM + 52, "middle", "", labelX));
    double middle = (TOP + BOTTOM) / 2.0;
    svg.append(
        label(24, middle, "middle", format("transform=\"rotate(-90 24 %.1f)\"", middle), labelY));
  }

  private void draw(StringBuilder svg, Series one, String colour, int place) {
    String dashes = one.dashed() ? " stroke-dasharray=\"7 5\"" : "";
    for (Point point : one.points()) {
      if (point.high() > point.low()) {
        svg.append(
            format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                    + " stroke-opacity=\"0.35\" stroke-width=\"3\"/>\n",
                x(point.x()), y(point.low()), x(point.x()), y(point.high()), colour));
      }
    }
    String path =
        one.points().stream()
            .map(point -> format("%.1f,%.1f", x(point.x()), y(point.y())))
            .collect(Collectors.joining(" "));
    svg.append(
        format(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
            path, colour, dashes));
    if (!one.dashed()) {
      for (Point point : one.points()) {
        svg.append(
            format(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
                x(point.x()), y(point.y()), colour));
      }
    }
    double at = TOP + 10 + place * LEGEND_STEP;
    svg.append(
        format(
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"3\"%s/>\n",
            RIGHT + 14, at, RIGHT + 44, at, colour, dashes));
    svg.append(label(RIGHT + 52, at + 5, "start", "", one.name()));
  }

  private double x(double value) {
    double scaled = scaleX == Scale.LINEAR ? value : log2(value);
    return LEFT + (scaled - lowX) / (highX - lowX) * (RIGHT - LEFT);
  }

  private double y(double value) {
    double scaled = scale == Scale.LINEAR ? value : log2(value);
    return BOTTOM - (scaled - lowY) / (highY - lowY) * (BOTTOM - TOP);
  }

  private static String rule(double x1, double y1, double x2, double y2, String colour) {
    return format(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
        x1, y1, x2, y2, colour);
  }

  private static String label(double x, double y, String anchor, String more, String text) {
    return format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n",
        x, y, anchor, more, HtmlEscapers.htmlEscaper().escape(text));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? format("%.0f", value)
        : BigDecimal.valueOf(value).round(TICK_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** The next of 1, 2, 5, 10, 20, ... */
  private static double niceStep(double atLeast) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(atLeast, 1e-9))));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * power >= atLeast) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  @FormatMethod
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
