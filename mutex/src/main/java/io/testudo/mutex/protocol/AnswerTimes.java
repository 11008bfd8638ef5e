package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Arrays;

/**
 * How long servers take to answer, as seen lately: for each a smoothed mean and deviation, as TCP
 * keeps them for its retransmissions. What counts is when as many have answered as can be waited
 * for, so that as many as may lie cannot make a client slow.
 */
public final class AnswerTimes {
  private static final double MEAN_WEIGHT = 1.0 / 8;
  private static final double DEVIATION_WEIGHT = 1.0 / 4;
  private static final int DEVIATIONS = 4;
  private static final double PEAK_FADES = 1.0 / 64;

  private final double longestNanos;
  private final int awaited;
  private final double[] means;
  private final double[] deviations;

  /** The longest seen lately; nobody need wait for longer. 0 if nothing was seen. */
  private final double[] peaks;

  public AnswerTimes(LockTiming timing, Thresholds thresholds) {
    this.longestNanos = timing.longestRoundTripNanos();
    this.awaited = thresholds.largestQuorum();
    this.means = new double[thresholds.servers()];
    this.deviations = new double[thresholds.servers()];
    this.peaks = new double[thresholds.servers()];
    Arrays.fill(means, 2.0 * timing.delayNanos());
  }

  /** A server has answered after so long. */
  public void saw(ServerId server, long nanos) {
    double bounded = Math.min((double) Math.max(1, nanos), longestNanos);
    int i = server.index();
    if (peaks[i] == 0) {
      means[i] = bounded;
      deviations[i] = bounded / 2;
    }
    peaks[i] = Math.max(bounded, peaks[i] - PEAK_FADES * peaks[i]);
    deviations[i] += DEVIATION_WEIGHT * (Math.abs(bounded - means[i]) - deviations[i]);
    means[i] += MEAN_WEIGHT * (bounded - means[i]);
  }

  /** After so long enough have answered as a rule. */
  public long meanNanos() {
    return (long) nth(means);
  }

  /** After so long enough have answered, if they answer. */
  public long patienceNanos() {
    double[] limits = means.clone();
    for (int i = 0; i < limits.length; i++) {
      double wouldBe = means[i] + DEVIATIONS * deviations[i];
      limits[i] = peaks[i] == 0 ? means[i] : Math.min(peaks[i], wouldBe);
    }
    return (long) nth(limits);
  }

  private double nth(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[awaited - 1];
  }
}
