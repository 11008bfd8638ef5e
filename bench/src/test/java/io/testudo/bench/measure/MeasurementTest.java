package io.testudo.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementTest {
  private static final long MILLI = 1_000_000;

  @TempDir private Path noProc;

  private final FakeWorld world = new FakeWorld();
  private final List<String> told = new ArrayList<>();
  private final List<FakeWorld.FakeSession> opened = new ArrayList<>();

  private Measurement measurement(int rounds, long warmUpNanos) {
    return new Measurement(
        new Plan(rounds, 10 * MILLI, warmUpNanos),
        new OtherLoad(noProc, () -> new long[0]),
        told::add);
  }

  private Contestant contestant(String name, long latencyNanos) {
    return new FakeContestant(name, () -> world.session(operation -> latencyNanos));
  }

  private final class FakeContestant implements Contestant {
    private final String name;
    private final SessionSource source;

    FakeContestant(String name, SessionSource source) {
      this.name = name;
      this.source = source;
    }

    @Override
    public String system() {
      return name;
    }

    @Override
    public String mode() {
      return "fast";
    }

    @Override
    public Session open(int clients) throws IOException {
      FakeWorld.FakeSession session = source.open();
      opened.add(session);
      return session;
    }

    @Override
    public void close() {}
  }

  private interface SessionSource {
    FakeWorld.FakeSession open() throws IOException;
  }

  @Test
  void letsContestantsTakeTurnsAfterAWarmUp() throws Exception {
    measurement(2, 5 * MILLI)
        .run(List.of(contestant("a", MILLI), contestant("b", MILLI)), 1, new ClosedLoad(world, 1));

    assertThat(told)
        .containsExactly(
            "a fast warms up",
            "b fast warms up",
            "a fast warms up",
            "b fast warms up",
            "a fast, round 1 of 2",
            "b fast, round 1 of 2",
            "a fast, round 2 of 2",
            "b fast, round 2 of 2");
    assertThat(opened).hasSize(2).allMatch(session -> session.isClosed);
    // Twice 5 ms of warm-up and two rounds of 10 ms, at 1 ms an operation.
    assertThat(opened).allMatch(session -> session.startedAtNanos.size() == 30);
  }

  @Test
  void warmsUpForAsLongAsOneGetsFaster() throws Exception {
    // Twice as fast after each of the first three warm-ups: 1, 2, 4 and 8 operations in 8 ms.
    Contestant slowToWarm =
        new FakeContestant(
            "a",
            () ->
                world.session(
                    operation ->
                        MILLI * (operation < 1 ? 8 : operation < 3 ? 4 : operation < 7 ? 2 : 1)));

    Result result =
        measurement(2, 8 * MILLI)
            .run(List.of(slowToWarm, contestant("b", MILLI)), 1, new ClosedLoad(world, 1))
            .get(0);

    assertThat(told).filteredOn("a fast warms up"::equals).hasSize(5);
    assertThat(told).filteredOn("b fast warms up"::equals).hasSize(5);
    assertThat(result.opsPerSecond()).isEqualTo(Spread.of(1_000, 1_000));
  }

  @Test
  void measuresInTheEndWhoNeverStopsGettingFaster() throws Exception {
    // Twice as many operations in each of the first ten milliseconds.
    Contestant endless =
        new FakeContestant(
            "a",
            () ->
                world.session(
                    operation -> MILLI / Math.min(1_024, Long.highestOneBit(operation + 1))));

    measurement(1, MILLI).run(List.of(endless), 1, new ClosedLoad(world, 1));

    assertThat(told).filteredOn("a fast warms up"::equals).hasSize(10);
  }

  @Test
  void countsNoWarmUp() throws Exception {
    // Slow for the first five operations, which are the warm-up.
    Contestant contestant =
        new FakeContestant(
            "a", () -> world.session(operation -> operation < 5 ? 2 * MILLI : MILLI));

    Result result =
        measurement(3, 10 * MILLI).run(List.of(contestant), 1, new ClosedLoad(world, 1)).get(0);

    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.opsPerSecond()).isEqualTo(Spread.of(1_000, 1_000, 1_000));
    assertThat(result.p99Micros().high()).isLessThan(1_100);
  }

  @Test
  void givesEachContestantItsOwnMedianAndSpread() throws Exception {
    // Three rounds with operations of 1, 2 and 5 ms.
    long[] latencies = new long[17];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = i < 10 ? MILLI : i < 15 ? 2 * MILLI : 5 * MILLI;
    }
    Contestant uneven =
        new FakeContestant("a", () -> world.session(operation -> latencies[(int) operation]));

    List<Result> results =
        measurement(3, 0)
            .run(List.of(uneven, contestant("b", MILLI / 2)), 1, new ClosedLoad(world, 1));

    assertThat(results.get(0).opsPerSecond()).isEqualTo(Spread.of(1_000, 500, 200));
    assertThat(results.get(0).p50Micros().median()).isBetween(1_999.0, 2_003.0);
    assertThat(results.get(1).opsPerSecond()).isEqualTo(Spread.of(2_000, 2_000, 2_000));
    assertThat(results.get(0).otherCpuShare()).isEmpty();
  }

  @Test
  void namesTheContestantThatFailsAndClosesAll() {
    Contestant failing =
        new FakeContestant(
            "b",
            () -> {
              FakeWorld.FakeSession session = world.session(operation -> MILLI);
              session.failingOperation = 12;
              return session;
            });

    assertThatThrownBy(
            () ->
                measurement(2, 0)
                    .run(List.of(contestant("a", MILLI), failing), 1, new ClosedLoad(world, 1)))
        .isInstanceOf(MeasurementException.class)
        .hasMessage("b fast: an operation failed: refused");
    assertThat(opened).hasSize(2).allMatch(session -> session.isClosed);
  }

  @Test
  void closesWhatIsOpenIfAContestantCannotConnect() {
    Contestant deaf =
        new FakeContestant(
            "b",
            () -> {
              throw new IOException("nobody answers");
            });

    assertThatThrownBy(
            () ->
                measurement(1, 0)
                    .run(List.of(contestant("a", MILLI), deaf), 1, new ClosedLoad(world, 1)))
        .isInstanceOf(IOException.class);
    assertThat(opened).hasSize(1).allMatch(session -> session.isClosed);
  }
}
