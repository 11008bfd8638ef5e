package io.testudo.bench.comparing;

import io.testudo.bench.results.Better;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.MetricKind;
import io.testudo.bench.results.ResultCase;

/**
 * Decides whether two figures differ by more than chance. docs/bench-results.md tells it to users.
 *
 * @param leastEffect a share: smaller changes of what was timed are nobody's concern
 * @param tolerance a share: what figures may differ by that are the same on every machine
 */
record NoiseRule(double leastEffect, double tolerance) {
  static final double LEAST_EFFECT = 0.10;
  static final double TOLERANCE = 0.005;

  /** Instead of infinity, for which there is no JSON. */
  private static final double MOST = 1e6;

  /** The tail of a few rounds is mostly chance. */
  static final double LEAST_EFFECT_OF_TAILS = 0.5;

  static final int LEAST_ROUNDS = 3;

  /** Of three rounds beside three, all have to be worse. */
  static final double LEAST_PROBABILITY = 0.05;

  /** How far two figures are apart, and what that means. */
  enum Verdict {
    SAME,
    BETTER,
    WORSE,
    /** Neither direction is better. */
    CHANGED,
    /** Another figure of the case says the same within one run, and is judged in its place. */
    SHOWN,
    /** Too few rounds to tell. */
    UNKNOWN
  }

  /**
   * One figure in two runs.
   *
   * @param change as a share of the first figure, above 0 if the second is larger
   * @param noise the share within which a change says nothing
   */
  record Difference(Metric before, Metric after, double change, double noise, Verdict verdict) {}

  Difference judge(ResultCase caseBefore, Metric before, ResultCase caseAfter, Metric after) {
    double change = change(before.value(), after.value());
    if (before.deterministic() && after.deterministic()) {
      return new Difference(before, after, change, tolerance, direction(before, change, tolerance));
    }
    double noise = noise(caseBefore, before, caseAfter, after);
    if (isJudgedByAnother(caseBefore, before) && isJudgedByAnother(caseAfter, after)) {
      return new Difference(before, after, change, noise, Verdict.SHOWN);
    }
    int rounds = Math.min(before.rounds().length(), after.rounds().length());
    if (rounds < LEAST_ROUNDS) {
      return new Difference(before, after, change, noise, Verdict.UNKNOWN);
    }
    Verdict verdict = direction(before, change, noise);
    double probability =
        change > 0
            ? RankSum.probability(before.rounds(), after.rounds())
            : RankSum.probability(after.rounds(), before.rounds());
    boolean isChance = probability > LEAST_PROBABILITY;
    return new Difference(before, after, change, noise, isChance ? Verdict.SAME : verdict);
  }

  private static Verdict direction(Metric metric, double change, double noise) {
    if (Math.abs(change) <= noise) {
      return Verdict.SAME;
    }
    if (metric.better() == Better.NEITHER) {
      return Verdict.CHANGED;
    }
    return change > 0 == (metric.better() == Better.HIGHER) ? Verdict.BETTER : Verdict.WORSE;
  }

  private double noise(ResultCase caseBefore, Metric before, ResultCase caseAfter, Metric after) {
    boolean isTail = before.name().startsWith("p99") || before.name().startsWith("max");
    double least = isTail ? Math.max(leastEffect, LEAST_EFFECT_OF_TAILS) : leastEffect;
    double spread = halfSpread(before) + halfSpread(after) + others(caseBefore) + others(caseAfter);
    return Math.max(least, spread);
  }

  private static double halfSpread(Metric metric) {
    return metric.value() == 0 ? 0 : (metric.high() - metric.low()) / 2 / Math.abs(metric.value());
  }

  /** What others took of the machine may have cost as much. */
  private static double others(ResultCase one) {
    Double share = one.otherCpuShare();
    return share == null ? 0 : share;
  }

  /** Machines are fast and slow: a ratio within one run says more than two times of two runs. */
  private static boolean isJudgedByAnother(ResultCase one, Metric metric) {
    return one.metrics().stream()
        .anyMatch(
            other ->
                MetricKind.of(other.name())
                    .map(kind -> metric.name().equals(kind.insteadOf()))
                    .orElse(false));
  }

  private static double change(double before, double after) {
    if (before == after) {
      return 0;
    }
    double change = before == 0 ? Math.signum(after) * MOST : (after - before) / Math.abs(before);
    return Math.max(-MOST, Math.min(MOST, change));
  }
}
