package io.testudo.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ClosedLoadTest {
  private static final long MILLI = 1_000_000;
  private static final Percentage HISTOGRAM_PRECISION = Percentage.withPercentage(0.2);

  private final FakeWorld world = new FakeWorld();

  @Test
  void keepsOneOperationOfEachClientUnderWay() throws Exception {
    FakeWorld.FakeSession session = world.session(operation -> MILLI);

    Round round = new ClosedLoad(world, 4).run(session, 10 * MILLI);

    assertThat(round.operations()).isEqualTo(40);
    assertThat(round.opsPerSecond()).isCloseTo(4_000, within(1e-6));
    assertThat(round.p50Nanos()).isCloseTo(MILLI, HISTOGRAM_PRECISION);
    assertThat(session.mostUnderWay).isEqualTo(4);
    assertThat(session.startedBy).hasSize(40).startsWith(0, 1, 2, 3, 0, 1, 2, 3);
  }

  @Test
  void countsALateOperationInTheLatenciesButNotInTheRate() throws Exception {
    // One of ten takes long and ends after the round.
    FakeWorld.FakeSession session = world.session(operation -> operation == 9 ? 50 * MILLI : MILLI);

    Round round = new ClosedLoad(world, 1).run(session, 10 * MILLI);

    assertThat(round.operations()).isEqualTo(9);
    assertThat(round.opsPerSecond()).isCloseTo(900, within(1e-6));
    assertThat(round.p99Nanos()).isCloseTo(50 * MILLI, HISTOGRAM_PRECISION);
    assertThat(round.maxNanos()).isCloseTo(50 * MILLI, HISTOGRAM_PRECISION);
    assertThat(session.underWay).isZero();
  }

  @Test
  void countsLatencyToWhereAnOperationHasWhatItWasFor() throws Exception {
    FakeWorld.FakeSession session = world.session(operation -> 2 * MILLI);
    session.cleaningUpNanos = MILLI / 2;

    Round round = new ClosedLoad(world, 1).run(session, 10 * MILLI);

    assertThat(round.operations()).isEqualTo(5);
    assertThat(round.p50Nanos()).isCloseTo(3 * MILLI / 2, HISTOGRAM_PRECISION);
  }

  @Test
  void startsNothingAfterTheRound() throws Exception {
    FakeWorld.FakeSession session = world.session(operation -> 3 * MILLI);

    new ClosedLoad(world, 2).run(session, 10 * MILLI);

    long beganNanos = session.startedAtNanos.get(0);
    assertThat(session.startedAtNanos)
        .hasSize(8)
        .allMatch(startNanos -> startNanos - beganNanos < 10 * MILLI);
  }

  @Test
  void failsWithTheReasonOfTheFirstOperationThatFails() {
    FakeWorld.FakeSession session = world.session(operation -> MILLI);
    session.failingOperation = 3;

    assertThatThrownBy(() -> new ClosedLoad(world, 2).run(session, 10 * MILLI))
        .isInstanceOf(MeasurementException.class)
        .hasMessage("an operation failed: refused");
    // The other client ends the operation that it has, and starts none.
    world.pauseUntil(world.nanos() + MILLI);
    assertThat(session.startedAtNanos).hasSize(5);
    assertThat(session.underWay).isZero();
  }

  @Test
  void givesUpOnAnOperationThatNeverEnds() {
    FakeWorld.FakeSession session =
        world.session(operation -> operation == 5 ? Long.MAX_VALUE / 2 : MILLI);

    assertThatThrownBy(() -> new ClosedLoad(world, 2).run(session, 10 * MILLI))
        .isInstanceOf(MeasurementException.class)
        .hasMessage("1 operations did not end within 30 s after the round");
  }

  @Test
  void endsWhenInterrupted() {
    FakeWorld.FakeSession session = world.session(operation -> MILLI);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> new ClosedLoad(world, 2).run(session, 10 * MILLI))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
