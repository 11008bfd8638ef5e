package io.testudo.bench.measure;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/** The median of a figure over the rounds, and its lowest and highest value. */
public record Spread(double median, double low, double high) {
  public static Spread of(double... values) {
    checkArgument(values.length > 0, "no values");
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }
}
