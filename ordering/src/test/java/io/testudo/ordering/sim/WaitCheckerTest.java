package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody waits for a timer where nothing is wrong, and who does is seen. */
class WaitCheckerTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();

  @Test
  void seesWhoHasWaitedForATimer() {
    WaitChecker waits = new WaitChecker(100);
    waits.ended(100); // Something may be wrong.
    waits.expectQuiet();
    waits.ended(99);
    assertThatExceptionOfType(Violation.class).isThrownBy(() -> waits.ended(100));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sealed-statements", "sealed-ranks", "plain"})
  void nobodyWaitsForATimerWhereNothingIsWrong(String mode) {
    ScenarioSettings settings =
        ScenarioSettings.ofSmallest(ORDERING, mode, 1, 1, ORDERING.lies()).with(Hazard.NO_FAULTS);
    Campaign.Report report = Campaign.ofFirstSeeds(settings, 15);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
  }
}
