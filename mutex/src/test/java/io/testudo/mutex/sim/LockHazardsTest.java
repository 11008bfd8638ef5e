package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.registry.LockProtocols;
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

/** What makes a whole run unlike others must break no lock. */
class LockHazardsTest {
  private static final LockSimulation BACKOFF =
      LockProtocols.ALL.simulation("backoff").orElseThrow();
  private static final LockSimulation SIGMA = LockProtocols.ALL.simulation("sigma").orElseThrow();

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
    "all-servers, READMISSION, 30",
    "quorums, READMISSION, 20",
    "all-servers, LONG_SLEEP, 15",
    "all-servers, FAR_CLOCK, 20",
    "all-servers, ROGUE, 15",
    "quorums, ROGUE, 10",
    "all-servers, HOARDING, 15",
    "quorums, HOARDING, 10",
    "all-servers, STARVATION, 20"
  })
  void backoffKeepsItsPromisesWhenAHazardStrikes(String mode, Hazard hazard, long scenarios) {
    tolerates(settings(BACKOFF, mode), hazard, scenarios);
  }

  @ParameterizedTest
  @CsvSource({
    "sigma-hardened, ROGUE, 20",
    "sigma-hardened, HOARDING, 20",
    "sigma-hardened, STARVATION, 10"
  })
  void sigmaKeepsItsPromisesWhenAHazardStrikes(String mode, Hazard hazard, long scenarios) {
    tolerates(settings(SIGMA, mode), hazard, scenarios);
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
        settings(BACKOFF, BackoffProtocol.ALL_SERVERS.modeName()).with(hazard);
    assertThat(story(settings)).isNotEmpty().isEqualTo(story(settings));
  }
}
