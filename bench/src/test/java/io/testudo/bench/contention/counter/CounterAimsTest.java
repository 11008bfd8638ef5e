package io.testudo.bench.contention.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import java.util.List;
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
    assertThat(figures.p50()).isLessThanOrEqualTo(CounterAims.MEDIAN);
    assertThat(figures.p99()).isLessThanOrEqualTo(CounterAims.P99);
    assertThat(figures.perRoundTrip()).isGreaterThanOrEqualTo(CounterAims.PER_CLIENT * clients);
  }

  @Test
  void whoIsIdleBetweenFindsAnOrderer() {
    CounterFigures figures = measured(8, 0, 1, 5, null);
    assertThat(figures.p50()).isLessThanOrEqualTo(CounterAims.MEDIAN);
    assertThat(figures.p99()).isLessThanOrEqualTo(CounterAims.P99);
  }

  @Test
  void neitherAWriterNorItsReadersStarve() {
    CounterFigures figures = measured(1, 8, 1, 0, null);
    assertThat(figures.perRoundTrip()).isGreaterThanOrEqualTo(CounterAims.BESIDE_READERS);
    assertThat(figures.readP99()).isNotNull().isLessThanOrEqualTo(CounterAims.P99);
  }

  @Test
  void theVerdictsNameTheWorstCase() {
    CounterFigures fine = measured(2, 0, 1, 0, null);
    CounterCase dying =
        new CounterCase(
            Mode.SEALED_STATEMENTS,
            fine.setup().thresholds(),
            2,
            0,
            1_000_000,
            0,
            CounterFault.HOLDER_DIES,
            false);
    CounterFigures slow = new CounterFigures(dying, 0.1, 300, 370, 370, 1, null, null);
    CounterFigures missed = new CounterFigures(fine.setup(), 0.1, 2.4, 3.9, 5, 1, null, null);

    assertThat(CounterAims.judge(List.of(slow))).isEmpty();
    assertThat(CounterAims.judge(List.of(fine)))
        .extracting(CounterAims.Judged::reached)
        .containsExactly(true, true, true);
    assertThat(CounterAims.judge(List.of(fine, missed)))
        .extracting(CounterAims.Judged::reached)
        .containsExactly(false, true, false);
    assertThat(CounterAims.judge(List.of(missed, fine)).get(0).measured())
        .startsWith("2.40 in the worst of 2 cases");
  }

  @ParameterizedTest
  @CsvSource({"8", "64"})
  void onAMachineThatIsTooSlowWaitsGrowAndMessagesDoNot(int clients) {
    CounterFigures fast = measured(clients, 0, 0.1, 0, null);
    CounterCase setup = fast.setup();
    CounterFigures slow =
        CounterFigures.measure(
            new CounterCase(
                setup.mode(),
                setup.thresholds(),
                clients,
                0,
                setup.roundTripNanos(),
                0,
                null,
                true,
                setup.turns(),
                new CounterCase.Computing(60_000, 2)),
            PLAN);

    assertThat(slow.p50()).isGreaterThan(10 * fast.p50());
    assertThat(slow.messagesPerOperation()).isLessThan(1.1 * fast.messagesPerOperation());
    assertThat(slow.p99()).isLessThan(1.5 * slow.p50());
  }

  static Iterable<CounterFault> lies() {
    return CounterFault.lies();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void oneServerThatLiesCostsLittle(CounterFault lie) {
    assertThat(measured(8, 0, 1, 0, lie).p99()).isLessThanOrEqualTo(CounterAims.P99_WITH_A_LIAR);
  }
}
