package io.testudo.bench.contention.counter;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What clients of one object may expect with sealed statements, in round trips, whatever a round
 * trip takes. The page of a run says which aims it reached; the tests hold the protocol to them.
 */
final class CounterAims {
  static final double MEDIAN = 2.3;
  static final double P99 = 4;
  static final double PER_CLIENT = 0.4;
  static final double BESIDE_READERS = 0.8;
  static final double P99_WITH_A_LIAR = 10;

  private CounterAims() {}

  /**
   * One aim.
   *
   * @param applies to which cases
   * @param figure what is to be within the bound
   * @param isLeast whether the bound is the least it may be, not the most
   */
  private record Aim(
      String text,
      Predicate<CounterCase> applies,
      ToDoubleFunction<CounterFigures> figure,
      double bound,
      boolean isLeast) {
    boolean isReached(CounterFigures figures) {
      double value = figure.applyAsDouble(figures);
      return isLeast ? value >= bound : value <= bound;
    }
  }

  private static final ImmutableList<Aim> ALL =
      ImmutableList.of(
          new Aim(
              "median of an increment at most 2.3 round trips, of any number of clients",
              CounterAims::isCalm,
              CounterFigures::p50,
              MEDIAN,
              false),
          new Aim(
              "99 % of increments within 4 round trips, of any number of clients",
              CounterAims::isCalm, CounterFigures::p99, P99, false),
          new Aim(
              "clients without a pause: 0.4 increments of each in a round trip",
              one -> isCalm(one) && one.thinkNanos() == 0,
              figures -> figures.perRoundTrip() / figures.setup().clients(),
              PER_CLIENT,
              true),
          new Aim(
              "one client beside readers: 0.8 increments in a round trip",
              one -> isJudged(one) && one.fault() == null && one.readers() > 0,
              CounterFigures::perRoundTrip,
              BESIDE_READERS,
              true),
          new Aim(
              "with a server that lies, 99 % of increments within 10 round trips",
              one -> isJudged(one) && one.isLiedTo(), CounterFigures::p99, P99_WITH_A_LIAR, false));

  /** One line of the page. */
  record Judged(String aim, boolean reached, String measured) {}

  /** The aims that the cases say something about. */
  static ImmutableList<Judged> judge(List<CounterFigures> measured) {
    ImmutableList.Builder<Judged> judged = ImmutableList.builder();
    for (Aim aim : ALL) {
      List<CounterFigures> cases =
          measured.stream().filter(one -> aim.applies().test(one.setup())).toList();
      if (!cases.isEmpty()) {
        judged.add(judge(aim, cases));
      }
    }
    return judged.build();
  }

  private static Judged judge(Aim aim, List<CounterFigures> cases) {
    CounterFigures worst = cases.get(0);
    for (CounterFigures one : cases) {
      double value = aim.figure().applyAsDouble(one);
      double before = aim.figure().applyAsDouble(worst);
      worst = aim.isLeast() == value < before ? one : worst;
    }
    return new Judged(
        aim.text(),
        aim.isReached(worst),
        String.format(
            Locale.ROOT,
            "%.2f in the worst of %d cases: %s",
            aim.figure().applyAsDouble(worst),
            cases.size(),
            worst.setup()));
  }

  private static boolean isCalm(CounterCase one) {
    return isJudged(one) && one.fault() == null && one.readers() == 0;
  }

  private static boolean isJudged(CounterCase one) {
    return one.mode() == Mode.SEALED_STATEMENTS && one.turns() == TurnsBy.RANK;
  }
}
