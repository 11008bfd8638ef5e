package io.testudo.bench.plot;

import com.google.common.collect.ImmutableList;

/** What is drawn for the page and as a file; {@link ChartSvg} draws it. */
public sealed interface Chart {
  String title();

  /** How an axis is divided. */
  enum Scale {
    /** By what figures there are: by their logarithms if they differ by magnitudes. */
    AUTOMATIC,
    /** From 0 on, or from the least if that is below. */
    LINEAR,
    /** Of figures that are all above 0. */
    LOGARITHMIC
  }

  /**
   * Lines over a number, such as that of clients.
   *
   * @param marks places on the x-axis where something happened
   */
  record Lines(
      String title,
      String labelX,
      Scale scaleX,
      String labelY,
      Scale scaleY,
      ImmutableList<Series> series,
      ImmutableList<Mark> marks)
      implements Chart {
    public Lines(String title, String labelX, String labelY, ImmutableList<Series> series) {
      this(title, labelX, Scale.AUTOMATIC, labelY, Scale.AUTOMATIC, series, ImmutableList.of());
    }
  }

  /** Something that happened at one place of the x-axis. */
  record Mark(double x, String what) {}

  /** A line for each name, with a dot where its figure is. */
  record Dots(String title, String label, ImmutableList<Dot> dots) implements Chart {}

  /**
   * A figure and its spread; {@code low} and {@code high} are {@code value} where there is none.
   */
  record Dot(String name, double value, double low, double high) {}
}
