package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import java.util.Arrays;
import java.util.stream.IntStream;

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

  /** Who takes longer than usual by this is late, and by this at least. */
  private static final double LATE = 1.25;

  private static final double LEAST_LATE_NANOS = 500_000;

  private final double longestNanos;
  private final double usualNanos;
  private final int vouchers;
  private final int awaited;
  private final double[] means;
  private final double[] deviations;

  /** The longest seen lately; nobody need wait for longer. 0 if nothing was seen. */
  private final double[] peaks;

  public AnswerTimes(LockTiming timing, Thresholds thresholds) {
    this.longestNanos = timing.longestRoundTripNanos();
    this.usualNanos = 2.0 * timing.delayNanos();
    this.vouchers = thresholds.vouchers();
    this.awaited = thresholds.largestQuorum();
    this.means = new double[thresholds.servers()];
    this.deviations = new double[thresholds.servers()];
    this.peaks = new double[thresholds.servers()];
    Arrays.fill(means, usualNanos);
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
      limits[i] = limit(i);
    }
    return (long) nth(limits);
  }

  private double limit(int i) {
    double wouldBe = means[i] + DEVIATIONS * deviations[i];
    return peaks[i] == 0 ? means[i] : Math.min(peaks[i], wouldBe);
  }

  /**
   * After so long one of these servers is late. Of those that were ever heard, as many as may lie
   * may be as slow as they like: no more than the others take is waited for. If too few were heard,
   * it is what the bound on delays says.
   */
  public long latenessNanos(ServerSet asked) {
    double[] heard =
        IntStream.range(0, means.length)
            .filter(i -> peaks[i] > 0)
            .mapToDouble(this::limit)
            .toArray();
    if (heard.length < vouchers) {
      return (long) usualNanos;
    }
    Arrays.sort(heard);
    double slowest = 0;
    for (ServerId server : asked) {
      int i = server.index();
      slowest = Math.max(slowest, peaks[i] > 0 ? limit(i) : Double.MAX_VALUE);
    }
    double enough = Math.min(slowest, heard[heard.length - vouchers]);
    return (long) Math.max(LATE * enough, enough + LEAST_LATE_NANOS);
  }

  private double nth(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[awaited - 1];
  }
}
