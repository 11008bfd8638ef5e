package io.testudo.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScaleRunTest {
  private static final int OPERATIONS = 800;

  private static ScaleFigures figures(
      ScaleCase.Subject subject, QuorumKind quorums, Access access, boolean isSilent) {
    return ScaleRun.run(new ScaleCase(subject, 9, 1, quorums, access, isSilent), OPERATIONS);
  }

  @ParameterizedTest
  @EnumSource
  void oneQuorumIsLessLoadThanAllServersAndTakesNoLonger(ScaleCase.Subject subject) {
    ScaleFigures all = figures(subject, QuorumKind.STANDARD, Access.ALL, false);
    ScaleFigures least = figures(subject, QuorumKind.LEAST, Access.QUORUM, false);

    // Six of nine servers, drawn for 400 names: the busiest is in a few more than it should be.
    assertThat(least.quorum()).isEqualTo(6);
    assertThat(least.messages()).isLessThan(0.72 * all.messages());
    assertThat(least.busiest()).isLessThan(0.85 * all.busiest());
    assertThat(least.max()).isLessThan(1.3);
  }

  @ParameterizedTest
  @EnumSource
  void aSilentServerCostsARoundTripUntilItIsAvoided(ScaleCase.Subject subject) {
    for (QuorumKind quorums : new QuorumKind[] {QuorumKind.LEAST, QuorumKind.M_GRID}) {
      ScaleFigures figures = figures(subject, quorums, Access.QUORUM, true);

      // Half a round trip, and its deviation, until it is late; a server that is asked in its place
      // for the first time is sent the past along.
      assertThat(figures.p50()).isLessThan(1.3);
      assertThat(figures.max()).isLessThan(3.2);
    }
  }
}
