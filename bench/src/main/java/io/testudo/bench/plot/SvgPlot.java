package io.testudo.bench.plot;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Path;

/** Lines over a number as files of their own, with axes that the caller chooses. */
public final class SvgPlot {
  /** How large figures are drawn. */
  public enum Scale {
    LINEAR(Chart.Scale.LINEAR),
    /** For series that differ by magnitudes. All figures are above 0. */
    LOGARITHMIC(Chart.Scale.LOGARITHMIC);

    private final Chart.Scale scale;

    Scale(Chart.Scale scale) {
      this.scale = scale;
    }
  }

  private SvgPlot() {}

  /** The text of the file, with a logarithmic x-axis. */
  public static String svg(
      String title, String labelX, String labelY, Scale scale, ImmutableList<Series> series) {
    return svg(title, labelX, Scale.LOGARITHMIC, labelY, scale, series);
  }

  /** Writes the file, with a logarithmic x-axis, if there is anything to plot. */
  public static void write(
      Path file,
      String title,
      String labelX,
      String labelY,
      Scale scale,
      ImmutableList<Series> series)
      throws IOException {
    ChartSvg.write(file, lines(title, labelX, Scale.LOGARITHMIC, labelY, scale, series));
  }

  /** The text of the file. */
  public static String svg(
      String title,
      String labelX,
      Scale scaleX,
      String labelY,
      Scale scaleY,
      ImmutableList<Series> series) {
    return ChartSvg.file(lines(title, labelX, scaleX, labelY, scaleY, series));
  }

  private static Chart.Lines lines(
      String title,
      String labelX,
      Scale scaleX,
      String labelY,
      Scale scaleY,
      ImmutableList<Series> series) {
    return new Chart.Lines(
        title, labelX, scaleX.scale, labelY, scaleY.scale, series, ImmutableList.of());
  }
}
