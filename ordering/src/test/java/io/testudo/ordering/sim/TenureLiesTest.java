package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lies about who orders and about what came of operations: each gets to where it could count. */
class TenureLiesTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();
  private static final Set<ByzantineKind> FORGED =
      Set.of(
          ByzantineKind.ALWAYS_LOCKED,
          ByzantineKind.ALWAYS_FREE,
          ByzantineKind.EARLY_COMMIT,
          ByzantineKind.INVENT,
          ByzantineKind.WILD_NUMBER);

  @ParameterizedTest
  @CsvSource({"sealed-statements, 40", "sealed-ranks, 25", "plain, 15"})
  void countWhereTheyCanAndDoNoHarm(String mode, long scenarios) {
    ScenarioSettings settings = ScenarioSettings.ofSmallest(ORDERING, mode, 1, 1, FORGED);
    Campaign.Report report = Campaign.ofFirstSeeds(settings, scenarios);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.stats().liesHeeded())
        .containsKeys(
            "Accepted",
            "Answered",
            "Busy",
            "Included",
            "Relayed",
            "Report",
            "Superseded",
            "Unattended");
  }
}
