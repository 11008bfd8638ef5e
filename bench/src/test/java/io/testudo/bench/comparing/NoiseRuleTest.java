package io.testudo.bench.comparing;

import static io.testudo.bench.results.SampleResults.median;
import static io.testudo.bench.results.SampleResults.rate;
import static io.testudo.bench.results.SampleResults.ratioToPing;
import static io.testudo.bench.results.SampleResults.tail;
import static io.testudo.bench.results.SampleResults.timed;
import static io.testudo.bench.results.SampleResults.virtual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.testudo.bench.comparing.NoiseRule.Verdict;
import io.testudo.bench.results.Better;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.ResultCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoiseRuleTest {
  private static final NoiseRule RULE = new NoiseRule(NoiseRule.LEAST_EFFECT, NoiseRule.TOLERANCE);

  private static Verdict verdict(Metric before, Metric after) {
    return judge(timed("async", 1, before), timed("async", 1, after));
  }

  private static Verdict judge(ResultCase before, ResultCase after) {
    return RULE.judge(before, before.metrics().get(0), after, after.metrics().get(0)).verdict();
  }

  private static ResultCase disturbed(double share, Metric metric) {
    ResultCase quiet = timed("async", 1, metric);
    return new ResultCase(
        quiet.bench(),
        quiet.name(),
        quiet.keys(),
        ImmutableMap.of(),
        false,
        share,
        quiet.metrics());
  }

  @Test
  void aSteadyDropIsWorseAndASteadyRiseBetter() {
    assertThat(verdict(rate(100, 101, 99), rate(70, 71, 69))).isEqualTo(Verdict.WORSE);
    assertThat(verdict(rate(70, 71, 69), rate(100, 101, 99))).isEqualTo(Verdict.BETTER);
    assertThat(verdict(median(100, 101, 99), median(70, 71, 69))).isEqualTo(Verdict.BETTER);
    assertThat(verdict(median(70, 71, 69), median(100, 101, 99))).isEqualTo(Verdict.WORSE);
  }

  @Test
  void aSmallChangeIsNoneHoweverSteady() {
    assertThat(verdict(rate(100, 100.1, 99.9), rate(92, 92.1, 91.9))).isEqualTo(Verdict.SAME);
  }

  @Test
  void roundsThatScatterHideAChange() {
    assertThat(verdict(rate(100, 160, 60), rate(70, 71, 69))).isEqualTo(Verdict.SAME);
    // The medians are far apart, and the rounds not wide, but they overlap.
    assertThat(verdict(rate(100, 101, 79), rate(80, 80, 80))).isEqualTo(Verdict.SAME);
  }

  @Test
  void whatOthersTookIsNoise() {
    assertThat(judge(disturbed(0.02, rate(100, 101, 99)), disturbed(0.02, rate(70, 71, 69))))
        .isEqualTo(Verdict.WORSE);
    assertThat(judge(disturbed(0.02, rate(100, 101, 99)), disturbed(0.4, rate(70, 71, 69))))
        .isEqualTo(Verdict.SAME);
  }

  @Test
  void twoRoundsTellNothing() {
    assertThat(verdict(rate(100, 101), rate(10, 11, 12))).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void tailsMayDoAsTheyLikeUpToAHalf() {
    assertThat(verdict(tail(100, 101, 99), tail(140, 141, 139))).isEqualTo(Verdict.SAME);
    assertThat(verdict(tail(100, 101, 99), tail(170, 171, 169))).isEqualTo(Verdict.WORSE);
  }

  @Test
  void aRatioWithinTheRunIsJudgedInThePlaceOfTheRate() {
    ResultCase before = timed("async", 1, rate(100, 101, 99), ratioToPing(0.5, 0.51, 0.49));
    ResultCase slowerMachine = timed("async", 1, rate(50, 51, 49), ratioToPing(0.5, 0.51, 0.49));
    ResultCase worse = timed("async", 1, rate(100, 101, 99), ratioToPing(0.3, 0.31, 0.29));

    assertThat(judge(before, slowerMachine)).isEqualTo(Verdict.SHOWN);
    assertThat(RULE.judge(before, before.metrics().get(1), worse, worse.metrics().get(1)).verdict())
        .isEqualTo(Verdict.WORSE);
  }

  @ParameterizedTest
  @CsvSource({
    "8, 8, SAME",
    "8, 8.03, SAME",
    "8, 8.1, WORSE",
    "8, 7.9, BETTER",
    "0, 0, SAME",
    "0, 1, WORSE"
  })
  void whatIsTheSameOnEveryMachineMayNotGetWorse(double before, double after, Verdict verdict) {
    assertThat(judge(virtual(1, before), virtual(1, after))).isEqualTo(verdict);
  }

  @Test
  void whereNeitherIsBetterAChangeIsJustAChange() {
    Metric before = Metric.exact("entries", "count", Better.NEITHER, 10, true);
    Metric after = Metric.exact("entries", "count", Better.NEITHER, 20, true);
    assertThat(verdict(before, after)).isEqualTo(Verdict.CHANGED);
  }

  @Test
  void theRankSumCountsOrders() {
    ImmutableDoubleArray low = ImmutableDoubleArray.of(1, 2, 3);
    ImmutableDoubleArray high = ImmutableDoubleArray.of(4, 5, 6);
    assertThat(RankSum.probability(low, high)).isEqualTo(1 / 20.0, within(1e-12));
    assertThat(RankSum.probability(high, low)).isEqualTo(1.0);
    assertThat(
            RankSum.probability(ImmutableDoubleArray.of(1, 2, 4), ImmutableDoubleArray.of(3, 5, 6)))
        .isEqualTo(2 / 20.0, within(1e-12));
    assertThat(
            RankSum.probability(
                ImmutableDoubleArray.of(1, 2, 3, 4, 5), ImmutableDoubleArray.of(6, 7, 8, 9, 10)))
        .isEqualTo(1 / 252.0, within(1e-12));
    assertThat(RankSum.probability(low, low)).isEqualTo(0.5, within(1e-12));
  }
}
