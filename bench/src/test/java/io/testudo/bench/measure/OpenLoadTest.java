package io.testudo.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class OpenLoadTest {
  private static final long MILLI = 1_000_000;
  private static final Percentage HISTOGRAM_PRECISION = Percentage.withPercentage(0.2);

  private final FakeWorld world = new FakeWorld();

  @Test
  void startsOperationsAtTheirTimesWhateverEarlierOnesTake() throws Exception {
    FakeWorld.FakeSession session = world.session(operation -> 5 * MILLI);

    Round round = new OpenLoad(world, 8, 1_000).run(session, 10 * MILLI);

    long beganNanos = session.startedAtNanos.get(0);
    assertThat(session.startedAtNanos.stream().map(startNanos -> startNanos - beganNanos))
        .containsExactly(
            0L, MILLI, 2 * MILLI, 3 * MILLI, 4 * MILLI, 5 * MILLI, 6 * MILLI, 7 * MILLI, 8 * MILLI,
            9 * MILLI);
    assertThat(session.mostUnderWay).isBetween(5, 6);
    assertThat(round.p99Nanos()).isCloseTo(5 * MILLI, HISTOGRAM_PRECISION);
    assertThat(session.underWay).isZero();
  }

  @Test
  void countsTheWaitForAClientFromTheIntendedStart() throws Exception {
    // The only client is stuck for 10 ms; what was to start meanwhile starts late.
    FakeWorld.FakeSession session =
        world.session(operation -> operation == 0 ? 10 * MILLI : MILLI / 100);

    Round round = new OpenLoad(world, 1, 1_000).run(session, 20 * MILLI);

    // Of 20 operations these waited: 10, 9, 8, ... 1 ms. The middle one still had none to wait for.
    assertThat(round.operations()).isEqualTo(20);
    assertThat(round.p99Nanos()).isCloseTo(10 * MILLI, HISTOGRAM_PRECISION);
    assertThat(round.p50Nanos()).isBetween(MILLI / 100, MILLI);
    long beganNanos = session.startedAtNanos.get(0);
    assertThat(session.startedAtNanos.get(1) - beganNanos).isEqualTo(10 * MILLI);
  }

  @Test
  void countsWhatNeverGotAClientWithItsWaitSoFar() throws Exception {
    // The only client is stuck beyond the end of the round.
    FakeWorld.FakeSession session = world.session(operation -> 15 * MILLI);

    Round round = new OpenLoad(world, 1, 1_000).run(session, 10 * MILLI);

    assertThat(session.startedAtNanos).hasSize(1);
    assertThat(round.operations()).isZero();
    // The one took 15 ms; the others had waited 9, 8, ... 1 ms when the round was over.
    assertThat(round.p99Nanos()).isCloseTo(15 * MILLI, HISTOGRAM_PRECISION);
    assertThat(round.p50Nanos()).isCloseTo(5 * MILLI, HISTOGRAM_PRECISION);
  }

  @Test
  void doesNoMoreThanItCanIfMoreIsOffered() throws Exception {
    FakeWorld.FakeSession session = world.session(operation -> 2 * MILLI);

    Round round = new OpenLoad(world, 1, 1_000).run(session, 100 * MILLI);

    assertThat(round.operations()).isEqualTo(50);
    assertThat(session.startedAtNanos).hasSize(50);
  }

  @Test
  void offersAsManyAsTheRateAsks() {
    OpenLoad load = new OpenLoad(world, 1, 3);
    assertThat(load.arrivalsIn(1_000 * MILLI)).isEqualTo(3);
    assertThat(load.arrivalsIn(1_001 * MILLI)).isEqualTo(4);
    assertThat(load.nanosOf(0)).isZero();
    assertThat(load.nanosOf(2)).isEqualTo(666_666_666);
  }

  @Test
  void failsWithTheReasonOfTheFirstOperationThatFails() {
    FakeWorld.FakeSession session = world.session(operation -> MILLI / 2);
    session.failingOperation = 3;

    assertThatThrownBy(() -> new OpenLoad(world, 2, 1_000).run(session, 10 * MILLI))
        .isInstanceOf(MeasurementException.class)
        .hasMessage("an operation failed: refused");
  }
}
