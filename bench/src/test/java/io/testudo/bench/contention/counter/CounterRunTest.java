package io.testudo.bench.contention.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CounterRunTest {
  private static final long MILLI = 1_000_000L;
  private static final CounterPlan PLAN = new CounterPlan(1, 60, 2);

  private static CounterCase setup(
      Mode mode, int clients, int readers, long thinkNanos, @Nullable CounterFault fault) {
    return new CounterCase(
        mode,
        mode.need().thresholds(mode.need().leastServers(1), 1),
        clients,
        readers,
        MILLI,
        thinkNanos,
        fault,
        false);
  }

  private static CounterCase setup(int clients) {
    return setup(Mode.SEALED_STATEMENTS, clients, 0, 0, null);
  }

  @Test
  void takesOneRoundTripForAClientAlone() {
    CounterFigures alone = CounterFigures.measure(setup(1), PLAN);

    assertThat(alone.p50()).isCloseTo(1, within(0.1));
    assertThat(alone.max()).isLessThan(1.21);
    assertThat(alone.perRoundTrip()).isCloseTo(1, within(0.1));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void measuresEachIncrementOnceInEachMode(Mode mode) {
    CounterResult result = CounterRun.run(setup(mode, 4, 0, 0, null), PLAN, 1);

    // Those that were under way when enough had ended are in it, too.
    assertThat(result.increments()).isEqualTo(80);
    assertThat(result.waitNanos().length()).isBetween(80, 84);
    assertThat(result.reads()).isZero();
    assertThat(result.messages()).isGreaterThan(80);
  }

  @Test
  void isTheSameForTheSameSeedOnly() {
    CounterResult first = CounterRun.run(setup(4), PLAN, 1);

    assertThat(CounterRun.run(setup(4), PLAN, 1)).isEqualTo(first);
    assertThat(CounterRun.run(setup(4), PLAN, 2)).isNotEqualTo(first);
  }

  @Test
  void scalesWithTheRoundTripWhereNobodyWaitsForATimer() {
    CounterCase slow =
        new CounterCase(
            Mode.SEALED_STATEMENTS, setup(1).thresholds(), 1, 0, 100 * MILLI, 0, null, false);

    assertThat(CounterFigures.measure(slow, PLAN).p50())
        .isCloseTo(CounterFigures.measure(setup(1), PLAN).p50(), within(0.01));
  }

  @Test
  void leavesIdleTimeOutOfTheResponse() {
    CounterCase idle = setup(Mode.SEALED_STATEMENTS, 1, 0, 50 * MILLI, null);

    CounterFigures figures = CounterFigures.measure(idle, PLAN);

    assertThat(figures.p50()).isLessThan(4);
    assertThat(figures.perRoundTrip()).isCloseTo(1 / (50 + figures.p50()), within(0.002));
  }

  @Test
  void measuresReadsBesideIncrements() {
    CounterFigures figures =
        CounterFigures.measure(setup(Mode.SEALED_STATEMENTS, 1, 2, 0, null), PLAN);

    assertThat(figures.readP50()).isNotNull().isBetween(0.8, 10.0);
    assertThat(figures.readP99()).isNotNull().isGreaterThanOrEqualTo(figures.readP50());
    assertThat(CounterFigures.measure(setup(1), PLAN).readP50()).isNull();
  }

  static Iterable<CounterFault> lies() {
    return CounterFault.lies();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void countsOnWhileOneServerLies(CounterFault lie) {
    CounterResult result =
        CounterRun.run(setup(Mode.SEALED_STATEMENTS, 2, 0, 0, lie), new CounterPlan(1, 30, 0), 1);

    assertThat(result.increments()).isEqualTo(40);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void goesOnAfterAClientDiedThatOrdered(Mode mode) {
    CounterResult result = CounterRun.run(setup(mode, 3, 0, 0, CounterFault.HOLDER_DIES), PLAN, 1);

    // Two died, or one more while the run ended; only those count that waited then, at most two
    // others.
    assertThat(result.waitNanos().length()).isBetween(1, 6);
    assertThat(result.waitNanos().stream().max().orElseThrow()).isLessThan(60_000 * MILLI);
  }

  @Test
  void countsWhereTheLockDecidesWhoOrders() {
    CounterCase setup = setup(Mode.SEALED_STATEMENTS, 3, 0, 0, CounterFault.HOLDER_DIES);
    CounterCase byLock =
        new CounterCase(
            setup.mode(),
            setup.thresholds(),
            3,
            0,
            MILLI,
            0,
            setup.fault(),
            false,
            TurnsBy.LOCK,
            CounterCase.Computing.NONE);

    // Who waits for the lease of the dead waits for longer than for its patience.
    assertThat(CounterFigures.measure(byLock, PLAN).max())
        .isGreaterThan(CounterFigures.measure(setup, PLAN).max());
    assertThat(CounterFigures.measure(byLock, PLAN).max()).isLessThan(3_000);
  }

  @Test
  void doesNotLetMessagesOfAConnectionOvertakeEachOtherIfTold() {
    CounterCase inOrder =
        new CounterCase(Mode.SEALED_STATEMENTS, setup(8).thresholds(), 8, 0, MILLI, 0, null, true);

    assertThat(CounterRun.run(inOrder, PLAN, 1)).isNotEqualTo(CounterRun.run(setup(8), PLAN, 1));
  }

  @Test
  void noticesALostOrDoubledOrReorderedIncrement() {
    CounterCheck check = new CounterCheck();
    check.incremented(1, 0);
    check.incremented(3, 1);

    assertThatThrownBy(() -> check.incremented(3, 2)).isInstanceOf(MeasurementException.class);
    assertThatThrownBy(() -> check.incremented(2, 3)).isInstanceOf(MeasurementException.class);
    assertThatThrownBy(() -> check.read(2, 3)).isInstanceOf(MeasurementException.class);
    assertThatThrownBy(() -> check.ended(1)).isInstanceOf(MeasurementException.class);
    assertThatThrownBy(() -> check.ended(3)).isInstanceOf(MeasurementException.class);
    check.becameUnknown();
    check.ended(3);
  }
}
