package io.testudo.bench.contention.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What clients of one object may expect, with sealed statements and four servers, whatever a round
 * trip takes. In virtual time.
 */
class CounterAimsTest {
  private static final CounterPlan PLAN = new CounterPlan(1, 400, 0);

  private static CounterFigures measured(
      int clients, int readers, double roundTripMillis, int idle, @Nullable CounterFault fault) {
    long roundTripNanos = (long) (roundTripMillis * 1_000_000);
    CounterCase setup =
        new CounterCase(
            Mode.SEALED_STATEMENTS,
            Mode.SEALED_STATEMENTS.need().thresholds(4, 1),
            clients,
            readers,
            roundTripNanos,
            idle * roundTripNanos,
            fault,
            false);
    return CounterFigures.measure(setup, PLAN);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "4, 0.1", "8, 100", "64, 1"})
  void nobodyWaitsForATimer(int clients, double roundTripMillis) {
    CounterFigures figures = measured(clients, 0, roundTripMillis, 0, null);
    assertThat(figures.p50()).isLessThanOrEqualTo(2.3);
    assertThat(figures.p99()).isLessThanOrEqualTo(4);
    assertThat(figures.perRoundTrip()).isGreaterThanOrEqualTo(0.4 * clients);
  }

  @Test
  void whoIsIdleBetweenFindsAnOrderer() {
    CounterFigures figures = measured(8, 0, 1, 5, null);
    assertThat(figures.p50()).isLessThanOrEqualTo(2.3);
    assertThat(figures.p99()).isLessThanOrEqualTo(4);
  }

  @Test
  void neitherAWriterNorItsReadersStarve() {
    CounterFigures figures = measured(1, 8, 1, 0, null);
    assertThat(figures.perRoundTrip()).isGreaterThanOrEqualTo(0.8);
    assertThat(figures.readP99()).isNotNull().isLessThanOrEqualTo(4.0);
  }

  static Iterable<CounterFault> lies() {
    return CounterFault.lies();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void oneServerThatLiesCostsLittle(CounterFault lie) {
    assertThat(measured(8, 0, 1, 0, lie).p99()).isLessThanOrEqualTo(10);
  }
}
