package io.testudo.bench.plot;

import com.google.common.collect.ImmutableList;

/**
 * A line of a plot.
 *
 * @param dashed for what was computed, not measured
 */
public record Series(String name, ImmutableList<Point> points, boolean dashed) {
  /**
   * A figure and its spread; {@code low} and {@code high} are {@code y} where there is none.
   *
   * @param x above 0 where its axis is logarithmic
   */
  public record Point(double x, double y, double low, double high) {
    public static Point exact(double x, double y) {
      return new Point(x, y, y, y);
    }
  }
}
