package io.testudo.bench.peers;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.testudo.bench.driver.HarmPlan;
import io.testudo.bench.driver.HarmRecord;
import io.testudo.bench.results.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** What a record of a trial means: all as ratios to what was before, in the same trial. */
final class HarmFigures {
  /** As much of the rate before is normal again. */
  static final double NORMAL = 0.9;

  /** Over so long it has to be reached, lest one good slice in a bad time counts. */
  private static final double NORMAL_SECONDS = 0.5;

  /** Within so long a harm shows, or not at all; what comes later is chance. */
  private static final double EFFECT_SECONDS = 1;

  /** Of the slices before, so many are a beginning: callers have just begun. */
  private static final int BEGINNING_SHARE = 4;

  private static final double NANOS_PER_SECOND = 1e9;

  private final HarmPlan plan;
  private final HarmRecord record;
  private final double before;

  HarmFigures(HarmPlan plan, HarmRecord record) {
    this.plan = plan;
    this.record = record;
    this.before = mean(plan.before() / BEGINNING_SHARE, plan.before());
  }

  /** Answers in a slice. */
  private double mean(int from, int to) {
    List<Long> part = record.answers().subList(from, to);
    return part.stream().mapToLong(Long::longValue).average().orElse(0);
  }

  double opsPerSecondBefore() {
    return before / secondsPerSlice();
  }

  private double secondsPerSlice() {
    return plan.sliceNanos() / NANOS_PER_SECOND;
  }

  /** Whether there is anything to compare with. */
  boolean hasWorkedBefore() {
    return before > 0;
  }

  /** The rate while the server was harmed, to that before. */
  double during() {
    return ratio(plan.before(), plan.before() + plan.during());
  }

  /** The rate once it was mended. */
  double after() {
    return ratio(plan.before() + plan.during(), plan.slices());
  }

  private double ratio(int from, int to) {
    return before > 0 ? mean(from, to) / before : 0;
  }

  /** How long after the beginning of the harm the rate was normal again, under it; or not. */
  OptionalDouble secondsToNormal() {
    return secondsToNormal(plan.before(), plan.before() + plan.during());
  }

  /** How long after the server was mended. */
  OptionalDouble secondsToNormalAfter() {
    return secondsToNormal(plan.before() + plan.during(), plan.slices());
  }

  /** From where it is no longer normal, which may be a moment later, until it is again. */
  private OptionalDouble secondsToNormal(int from, int to) {
    int window = Math.min(to - from, slices(NORMAL_SECONDS));
    int bad = from;
    while (bad + window <= to && isNormal(bad, window)) {
      bad++;
    }
    if (bad + window > to || bad - from > slices(EFFECT_SECONDS)) {
      return OptionalDouble.of(0);
    }
    for (int begin = bad; begin + window <= to; begin++) {
      if (isNormal(begin, window)) {
        return OptionalDouble.of((begin - from) * secondsPerSlice());
      }
    }
    return OptionalDouble.empty();
  }

  private int slices(double seconds) {
    return Math.max(1, (int) Math.rint(seconds / secondsPerSlice()));
  }

  private boolean isNormal(int begin, int window) {
    return before > 0 && mean(begin, begin + window) >= NORMAL * before;
  }

  /** The tail of what ended meanwhile, to that before; nothing ended, nothing to tell. */
  OptionalDouble tailDuring() {
    return tail(1);
  }

  OptionalDouble tailAfter() {
    return tail(2);
  }

  private OptionalDouble tail(int phase) {
    long tailBefore = record.p99Nanos().get(0);
    long tail = record.p99Nanos().get(phase);
    return tail == 0 || tailBefore == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) tail / tailBefore);
  }

  /** The longest time without an answer before, and since the harm began. */
  double gapBeforeMillis() {
    return millis(record.longestGapNanos().get(0));
  }

  double longestGapMillis() {
    return millis(record.longestGapNanos().get(1));
  }

  double p99BeforeMicros() {
    return record.p99Nanos().get(0) / (double) TimeUnit.MICROSECONDS.toNanos(1);
  }

  private static double millis(long nanos) {
    return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }

  HarmRecord record() {
    return record;
  }

  /** The rate over time, to that before; the harm begins at 0. */
  Timeline timeline() {
    double[] rates =
        record.answers().stream()
            .mapToDouble(answers -> before > 0 ? answers / before : 0)
            .toArray();
    return new Timeline(
        "rate : before",
        -plan.before() * secondsPerSlice(),
        secondsPerSlice(),
        ImmutableMap.of("begins", 0.0, "ends", plan.during() * secondsPerSlice()),
        ImmutableDoubleArray.copyOf(Arrays.copyOf(rates, rates.length)));
  }
}
