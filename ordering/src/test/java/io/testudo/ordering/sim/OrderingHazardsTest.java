package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What makes a whole run unlike others must break nothing that is ordered. */
class OrderingHazardsTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();

  private static ScenarioSettings settings(SimulatedProtocol protocol, String mode) {
    return ScenarioSettings.ofSmallest(protocol, mode, 1, 1, protocol.lies());
  }

  private static void tolerates(ScenarioSettings settings, Hazard hazard, long scenarios) {
    Campaign.Report report = Campaign.ofFirstSeeds(settings.with(hazard), scenarios);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.scenarios()).isEqualTo(scenarios);
    assertThat(report.strikes(hazard)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "sealed-statements, READMISSION, 20",
    "sealed-ranks, READMISSION, 12",
    "plain, READMISSION, 12",
    "sealed-statements, LONG_SLEEP, 10",
    "sealed-statements, FAR_CLOCK, 10",
    "sealed-statements, ROGUE, 10",
    "sealed-ranks, ROGUE, 10",
    "plain, ROGUE, 10",
    "sealed-statements, HOARDING, 8",
    "sealed-ranks, HOARDING, 6",
    "plain, HOARDING, 6",
    "sealed-statements, DELETES, 30",
    "sealed-ranks, DELETES, 20",
    "plain, DELETES, 20",
    "sealed-statements, GLANCES, 30",
    "sealed-ranks, GLANCES, 15",
    "plain, GLANCES, 10"
  })
  void keepsOneHistoryWhenAHazardStrikes(String mode, Hazard hazard, long scenarios) {
    tolerates(settings(ORDERING, mode), hazard, scenarios);
  }

  private static List<String> story(ScenarioSettings settings) {
    List<String> lines = new ArrayList<>();
    Simulation.run(settings, 5, Trace.to(lines::add));
    return lines;
  }

  @ParameterizedTest
  @EnumSource(Hazard.class)
  void tellsTheSameStoryForTheSameSeed(Hazard hazard) {
    ScenarioSettings settings =
        settings(ORDERING, Mode.SEALED_STATEMENTS.need().modeName()).with(hazard);
    assertThat(story(settings)).isNotEmpty().isEqualTo(story(settings));
  }
}
