package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.registry.LockProtocols;
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

/** The backoff mutex in the simulator, of clients of which most ask one quorum first. */
class LockAccessScenarioTest {
  private static final LockSimulation BACKOFF =
      LockProtocols.ALL.simulation("backoff").orElseThrow();

  private static ScenarioSettings settings(
      QuorumKind quorums, int servers, int liars, Set<ByzantineKind> kinds) {
    Need need = BackoffProtocol.ALL_SERVERS;
    return new ScenarioSettings(
            BACKOFF,
            need.modeName(),
            need.thresholds(servers, 1),
            liars,
            ImmutableSet.copyOf(kinds))
        .with(quorums.thresholds(need, servers, 1), Access.QUORUM);
  }

  @ParameterizedTest
  @CsvSource({"STANDARD, 4, 40", "LEAST, 7, 25", "M_GRID, 9, 15", "GRID, 16, 8"})
  void keepsItsPromises(QuorumKind quorums, int servers, long scenarios) {
    ScenarioSettings settings =
        settings(quorums, servers, 1, BACKOFF.lies(Access.QUORUM)).with(Hazard.values());

    assertThat(Campaign.ofFirstSeeds(settings, scenarios).failures())
        .extracting(ScenarioResult::violation)
        .isEmpty();
  }

  @Test
  void isNotStoppedByALiarThatLetsItsQuorumDown() {
    ScenarioSettings settings = settings(QuorumKind.LEAST, 7, 1, Set.of(ByzantineKind.LET_DOWN));

    assertThat(Campaign.ofFirstSeeds(settings, 20).failures())
        .extracting(ScenarioResult::violation)
        .isEmpty();
  }

  @Test
  void breaksWithOneLiarMoreAndTheCheckerSeesIt() {
    ScenarioSettings settings =
        settings(
            QuorumKind.LEAST, 4, 2, Set.of(ByzantineKind.ALWAYS_FREE, ByzantineKind.EQUIVOCATE));

    assertThat(Campaign.ofFirstSeeds(settings, 100).violationsByKind())
        .containsKey(Violation.Kind.SAFETY);
  }
}
