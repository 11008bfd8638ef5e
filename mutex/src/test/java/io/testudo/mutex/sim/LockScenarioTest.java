package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.FaultKind;
import io.testudo.quorum.sim.FaultPlan;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The backoff mutex in the simulator, with as many liars as it is made for. */
class LockScenarioTest {
  private static final LockSimulation BACKOFF =
      LockProtocols.ALL.simulation("backoff").orElseThrow();
  private static final String ALL_SERVERS = BackoffProtocol.ALL_SERVERS.modeName();

  static ScenarioSettings settings(
      String mode, int byzantine, int liars, Set<ByzantineKind> kinds) {
    return ScenarioSettings.ofSmallest(BACKOFF, mode, byzantine, liars, kinds);
  }

  @ParameterizedTest
  @CsvSource({
    "all-servers, 1, 200",
    "all-servers, 2, 60",
    "all-servers, 3, 25",
    "quorums, 1, 120",
    "quorums, 2, 30",
    "quorums, 3, 15"
  })
  void keepsItsPromisesInSpiteOfAsManyLiarsAsItIsMadeFor(
      String mode, int byzantine, long scenarios) {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(mode, byzantine, byzantine, BACKOFF.lies()), scenarios);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.scenarios()).isEqualTo(scenarios);
    assertThat(report.stats().operations()).isGreaterThanOrEqualTo(20 * scenarios);
  }

  static Stream<ByzantineKind> lies() {
    return BACKOFF.lies().stream();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void toleratesEachLieAlone(ByzantineKind kind) {
    Campaign.Report report = Campaign.ofFirstSeeds(settings(ALL_SERVERS, 1, 1, Set.of(kind)), 12);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    // Silence and slowness are no words. All others must be heard.
    Set<ByzantineKind> unheard =
        EnumSet.of(
            ByzantineKind.SILENT,
            ByzantineKind.SILENT_TO_SOME,
            ByzantineKind.BAD_MAC,
            ByzantineKind.TRICKLE,
            ByzantineKind.EDGE_OF_TIME);
    if (!unheard.contains(kind)) {
      assertThat(report.stats().liesTold()).as("lies told").isPositive();
    }
  }

  @Test
  void letsLiesReachTheTalliesAndFaultsStrike() {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(ALL_SERVERS, 1, 1, BACKOFF.lies()), 100);

    assertThat(report.withCountedLie()).isGreaterThan(50);
    assertThat(report.withFewFaults()).isLessThan(4);
    assertThat(report.stats().faults().keySet())
        .isEqualTo(EnumSet.range(FaultKind.LOSS, FaultKind.CRASH_AT_WRITE));
  }

  @Test
  void makesTheSameRunFromTheSameSeedToTheByte() {
    ScenarioSettings settings = settings(ALL_SERVERS, 1, 1, BACKOFF.lies());
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(digest(settings, seed)).isEqualTo(digest(settings, seed));
    }
    assertThat(digest(settings, 1)).isNotEqualTo(digest(settings, 2));
  }

  private static String digest(ScenarioSettings settings, long seed) {
    Hasher hasher = Hashing.sha256().newHasher();
    Simulation.run(
        settings, seed, Trace.to(line -> hasher.putString(line, StandardCharsets.UTF_8)));
    return hasher.hash().toString();
  }

  @Test
  void isCalmWhereThePlanIs() {
    for (String mode : BACKOFF.modes()) {
      ScenarioSettings settings = settings(mode, 1, 1, Set.of(ByzantineKind.ALWAYS_LOCKED));
      ScenarioResult result = Simulation.run(settings, 1, FaultPlan.calm(), Trace.off());
      assertThat(result.violation()).isNull();
    }
  }
}
