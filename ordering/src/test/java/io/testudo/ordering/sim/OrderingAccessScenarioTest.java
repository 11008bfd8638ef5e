package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ordering in the simulator by clients of which most ask one quorum first, and some all. */
class OrderingAccessScenarioTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();

  private static ScenarioSettings settings(
      Mode mode, QuorumKind quorums, int servers, int liars, Set<ByzantineKind> kinds) {
    Need need = mode.need();
    return new ScenarioSettings(
            ORDERING,
            need.modeName(),
            need.thresholds(servers, 1),
            liars,
            ImmutableSet.copyOf(kinds))
        .with(quorums.thresholds(need, servers, 1), Access.QUORUM);
  }

  @ParameterizedTest
  @CsvSource({
    "SEALED_STATEMENTS, STANDARD, 4, 15",
    "SEALED_STATEMENTS, LEAST, 7, 15",
    "SEALED_STATEMENTS, M_GRID, 9, 8",
    "SEALED_STATEMENTS, GRID, 16, 5",
    "SEALED_RANKS, LEAST, 8, 8",
    "SEALED_RANKS, M_GRID, 16, 5",
    "PLAIN, LEAST, 10, 8"
  })
  void keepsOneHistory(Mode mode, QuorumKind quorums, int servers, long scenarios) {
    ScenarioSettings settings =
        settings(mode, quorums, servers, 1, ORDERING.lies(Access.QUORUM)).with(Hazard.values());

    assertThat(Campaign.ofFirstSeeds(settings, scenarios).failures())
        .extracting(ScenarioResult::violation)
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"SEALED_STATEMENTS, 7", "SEALED_RANKS, 8", "PLAIN, 10"})
  void isNotStoppedByALiarThatLetsItsQuorumDown(Mode mode, int servers) {
    ScenarioSettings settings =
        settings(mode, QuorumKind.LEAST, servers, 1, Set.of(ByzantineKind.LET_DOWN));

    assertThat(Campaign.ofFirstSeeds(settings, 10).failures())
        .extracting(ScenarioResult::violation)
        .isEmpty();
  }

  @Test
  void breaksWithOneLiarMoreAndTheCheckerSeesIt() {
    Set<ByzantineKind> kinds =
        Set.of(ByzantineKind.INVENT, ByzantineKind.ALWAYS_FREE, ByzantineKind.NO_STORE);
    ScenarioSettings settings = settings(Mode.SEALED_STATEMENTS, QuorumKind.LEAST, 4, 2, kinds);

    assertThat(Campaign.ofFirstSeeds(settings, 60).violationsByKind())
        .containsKey(Violation.Kind.SAFETY);
  }
}
