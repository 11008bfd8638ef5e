package io.testudo.bench.reproduce;

import io.testudo.quorum.Thresholds;

/** What the model gives by computation alone. */
final class Theory {
  /** Steps of the integral; ten times as many change the sixth digit. */
  private static final int STEPS = 20_000;

  private static final double MILLIS_PER_SECOND = 1e3;

  private Theory() {}

  /**
   * How many entries a second there are at most. Between two of them the release goes to every
   * server and its grant to the next client: two latencies, and the quorum is complete with the
   * m-th of n such sums.
   */
  static double saturationPerSecond(Latency latency, Thresholds thresholds) {
    return MILLIS_PER_SECOND / handOffMillis(latency, thresholds);
  }

  /** The mean of the m-th smallest of n sums of two latencies of different pairs. */
  static double handOffMillis(Latency latency, Thresholds thresholds) {
    double low = 2 * latency.lowMillis();
    double width = 2 * (latency.highMillis() - latency.lowMillis());
    // The mean of what is never below low: low, and the integral of being above x.
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
      double share = (i + 0.5) / STEPS;
      sum += fewerThan(thresholds.quorum(), thresholds.servers(), triangular(share));
    }
    return low + width * sum / STEPS;
  }

  /**
   * The mean time until a client that is alone has its quorum: both ways are of one pair, so it is
   * twice the m-th smallest of n latencies.
   */
  static double uncontendedMillis(Latency latency, Thresholds thresholds) {
    double share = thresholds.quorum() / (thresholds.servers() + 1.0);
    return 2 * (latency.lowMillis() + (latency.highMillis() - latency.lowMillis()) * share);
  }

  /** That the mean of two numbers from 0 to 1 is below {@code x}. */
  private static double triangular(double x) {
    return x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
  }

  /** That fewer than m of n happen, each with probability p. */
  private static double fewerThan(int m, int n, double p) {
    double sum = 0;
    double ways = 1;
    for (int k = 0; k < m; k++) {
      sum += ways * Math.pow(p, k) * Math.pow(1 - p, n - k);
      ways = ways * (n - k) / (k + 1);
    }
    return sum;
  }
}
