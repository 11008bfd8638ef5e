package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordering in the simulator: clients that all order at once, servers that lie. */
class OrderingScenarioTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();
  private static final String SEALED = Mode.SEALED_STATEMENTS.need().modeName();

  private static ScenarioSettings settings(
      String mode, int byzantine, int liars, Set<ByzantineKind> kinds) {
    return ScenarioSettings.ofSmallest(ORDERING, mode, byzantine, liars, kinds);
  }

  @ParameterizedTest
  @CsvSource({
    "sealed-statements, 1, 60",
    "sealed-statements, 2, 15",
    "sealed-ranks, 1, 30",
    "plain, 1, 20"
  })
  void keepsOneHistoryInSpiteOfAsManyLiarsAsItIsMadeFor(
      String mode, int byzantine, long scenarios) {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(mode, byzantine, byzantine, ORDERING.lies()), scenarios);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.scenarios()).isEqualTo(scenarios);
    assertThat(report.stats().operations()).isGreaterThanOrEqualTo(20 * scenarios);
  }

  static Stream<ByzantineKind> lies() {
    return ORDERING.lies().stream();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void toleratesEachLieAlone(ByzantineKind kind) {
    Campaign.Report report = Campaign.ofFirstSeeds(settings(SEALED, 1, 1, Set.of(kind)), 6);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sealed-statements", "sealed-ranks", "plain"})
  void keepsItsPromisesWhereTheLockDecides(String mode) {
    ScenarioSettings settings =
        settings(mode, 1, 1, ORDERING.lies()).with(Hazard.values()).withTurns("lock");

    assertThat(Campaign.ofFirstSeeds(settings, 8).failures())
        .extracting(ScenarioResult::violation)
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sealed-statements", "sealed-ranks", "plain"})
  void breaksWithOneLiarMoreAndTheCheckerSeesIt(String mode) {
    Set<ByzantineKind> kinds =
        Set.of(ByzantineKind.INVENT, ByzantineKind.ALWAYS_FREE, ByzantineKind.NO_STORE);
    Campaign.Report report = Campaign.ofFirstSeeds(settings(mode, 1, 2, kinds), 30);

    assertThat(report.violationsByKind()).containsKey(Violation.Kind.SAFETY);
  }

  @Test
  void tellsTheSameStoryForTheSameSeed() {
    List<String> once = new ArrayList<>();
    List<String> again = new ArrayList<>();
    ScenarioSettings settings = settings(SEALED, 1, 1, ORDERING.lies());
    Simulation.run(settings, 5, Trace.to(once::add));
    Simulation.run(settings, 5, Trace.to(again::add));
    assertThat(once).isNotEmpty();
    assertThat(again).isEqualTo(once);
  }
}
