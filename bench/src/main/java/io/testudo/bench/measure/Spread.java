package io.testudo.bench.measure;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Arrays;

/**
 * The median of a figure over the rounds, and its lowest and highest value.
 *
 * @param rounds the figure of each, in their order; empty if they are not known
 */
public record Spread(double median, double low, double high, ImmutableDoubleArray rounds) {
  public Spread(double median, double low, double high) {
    this(median, low, high, ImmutableDoubleArray.of());
  }

  public static Spread of(double... values) {
    checkArgument(values.length > 0, "no values");
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(
        median, sorted[0], sorted[sorted.length - 1], ImmutableDoubleArray.copyOf(values));
  }
}
