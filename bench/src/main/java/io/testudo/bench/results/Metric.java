package io.testudo.bench.results;

import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Arrays;

/**
 * One figure of a case.
 *
 * @param value the median over the rounds where there are some
 * @param low the lowest round; {@code value} where there is no spread
 * @param high the highest round
 * @param rounds the figure of each round, in the order of the rounds; empty if they are not known
 * @param deterministic whether the same options give the same figure on every machine
 */
public record Metric(
    String name,
    String unit,
    Better better,
    double value,
    double low,
    double high,
    ImmutableDoubleArray rounds,
    boolean deterministic) {

  /** Without a spread. */
  public static Metric exact(
      String name, String unit, Better better, double value, boolean deterministic) {
    return new Metric(
        name, unit, better, value, value, value, ImmutableDoubleArray.of(), deterministic);
  }

  /** The median of these rounds, with their spread. */
  public static Metric ofRounds(String name, String unit, Better better, double... rounds) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Metric(
        name,
        unit,
        better,
        median,
        sorted[0],
        sorted[sorted.length - 1],
        ImmutableDoubleArray.copyOf(rounds),
        false);
  }

  public boolean hasSpread() {
    return low < value || high > value;
  }
}
