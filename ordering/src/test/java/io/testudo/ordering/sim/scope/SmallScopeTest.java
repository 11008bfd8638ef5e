package io.testudo.ordering.sim.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.sim.scope.SmallScope.Bounds;
import io.testudo.ordering.sim.scope.SmallScope.Found;
import io.testudo.quorum.spi.Entropy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Two clients, the least servers for one liar, everything that can happen. */
class SmallScopeTest {
  private static Bounds bounds(Mode mode, int operations, int patience, int liars, int forgetful) {
    return new Bounds(
        mode, new int[] {operations, 1}, new int[] {patience, patience}, liars, forgetful);
  }

  @ParameterizedTest
  @CsvSource({"SEALED_STATEMENTS, 20000", "SEALED_RANKS, 10000", "PLAIN, 2500"})
  void nothingThatOneLiarSaysLetsClientsDisagree(Mode mode, int states) {
    Found found = new SmallScope(bounds(mode, 1, 0, 1, 0)).explore(states);
    assertThat(found.fork()).isEmpty();
    assertThat(found.states()).isGreaterThanOrEqualTo(states);
  }

  @ParameterizedTest
  @CsvSource({"SEALED_STATEMENTS, 60", "SEALED_RANKS, 40", "PLAIN, 10"})
  void longRunsWithOneLiarDoNotForkEither(Mode mode, int walks) {
    Found found = new SmallScope(bounds(mode, 2, 1, 1, 0)).wander(walks, Entropy.seeded(1));
    assertThat(found.fork()).isEmpty();
  }

  /** A quorum of n-1 servers is one of n of which one forgets all it hears. */
  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
  void forksWithOneServerLess(Mode mode) {
    assertThat(fork(bounds(mode, 1, 0, 1, 1)).fork()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
  void forksWithOneLiarMore(Mode mode) {
    assertThat(fork(bounds(mode, 1, 0, 2, 0)).fork()).isPresent();
  }

  /** With seven servers a liar has so much to say that it takes longer to say the right thing. */
  @Tag("campaign")
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 0"})
  void forksWithoutSealsToo(int liars, int forgetful) {
    assertThat(fork(bounds(Mode.PLAIN, 1, 0, liars, forgetful)).fork()).isPresent();
  }

  private static Found fork(Bounds bounds) {
    return new SmallScope(bounds).wander(5_000, Entropy.seeded(1));
  }

  /** See docs/ordering.md; some minutes and gigabytes. */
  @Tag("campaign")
  @ParameterizedTest
  @CsvSource({
    "SEALED_STATEMENTS, 1, 0, 10000000",
    "SEALED_STATEMENTS, 2, 1, 10000000",
    "SEALED_RANKS, 1, 0, 10000000",
    "SEALED_RANKS, 2, 1, 10000000",
    "PLAIN, 1, 0, 5000000"
  })
  void millionsOfStatesAgree(Mode mode, int operations, int patience, int states) {
    Found found = new SmallScope(bounds(mode, operations, patience, 1, 0)).explore(states);
    System.out.printf(
        "%s, %d operations and one, patience %d: %,d states, %s%n",
        mode, operations, patience, found.states(), found.complete() ? "all" : "more are left");
    assertThat(found.fork()).isEmpty();
  }
}
