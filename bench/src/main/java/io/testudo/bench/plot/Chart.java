package io.testudo.bench.plot;

import com.google.common.collect.ImmutableList;

/** What is drawn for the page and as a file; {@link ChartSvg} draws it. */
public sealed interface Chart {
  String title();

  /** Lines over a number, such as that of clients. */
  record Lines(String title, String labelX, String labelY, ImmutableList<Series> series)
      implements Chart {}

  /** A line for each name, with a dot where its figure is. */
  record Dots(String title, String label, ImmutableList<Dot> dots) implements Chart {}

  /**
   * A figure and its spread; {@code low} and {@code high} are {@code value} where there is none.
   */
  record Dot(String name, double value, double low, double high) {}
}
