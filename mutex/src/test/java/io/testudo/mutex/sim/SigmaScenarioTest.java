package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.FaultKind;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation.Kind;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sigma in the simulator, with servers that forget and servers that lie. */
class SigmaScenarioTest {
  private static final LockSimulation SIGMA = LockProtocols.ALL.simulation("sigma").orElseThrow();

  private static ScenarioSettings settings(
      Thresholds thresholds, int liars, Set<ByzantineKind> lies, int resets, boolean quarantine) {
    return new ScenarioSettings(
        SIGMA,
        thresholds.need().modeName(),
        thresholds,
        liars,
        ImmutableSet.copyOf(lies),
        resets,
        quarantine,
        ImmutableSet.of());
  }

  private static Campaign.Report campaign(
      Thresholds thresholds,
      int liars,
      Set<ByzantineKind> lies,
      int resets,
      boolean quarantine,
      long n) {
    return Campaign.ofFirstSeeds(settings(thresholds, liars, lies, resets, quarantine), n);
  }

  private static Campaign.Report forgetting(
      int servers, int faults, int quorum, int resets, boolean quarantine, long scenarios) {
    Thresholds thresholds = SigmaProtocol.CRASHES.thresholds(servers, faults, quorum);
    return campaign(thresholds, 0, SIGMA.lies(), resets, quarantine, scenarios);
  }

  @ParameterizedTest
  @CsvSource({
    // servers, f, m, servers that forget, quarantine, scenarios
    "4, 1, 3, 1, false, 120",
    "5, 1, 4, 2, false, 50",
    "7, 2, 5, 2, false, 25",
    "8, 2, 6, 3, false, 20",
    "4, 1, 3, 4, true, 60",
  })
  void keepsItsPromisesWithAsManyForgetfulServersAsItTolerates(
      int servers, int faults, int quorum, int resets, boolean quarantine, long scenarios) {
    Campaign.Report report = forgetting(servers, faults, quorum, resets, quarantine, scenarios);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.stats().operations()).isGreaterThanOrEqualTo(20 * scenarios);
    assertThat(report.stats().faults()).containsKey(FaultKind.CRASH_KEPT);
  }

  @ParameterizedTest
  @CsvSource({"4, 1, 3, 2, 300", "5, 1, 4, 3, 900"})
  void losesExclusionWithOneForgetfulServerMore(
      int servers, int faults, int quorum, int resets, long scenarios) {
    Thresholds thresholds = SigmaProtocol.CRASHES.thresholds(servers, faults, quorum);
    ScenarioSettings settings = settings(thresholds, 0, SIGMA.lies(), resets, false);

    // One in some hundred does: the first is enough.
    assertThat(
            LongStream.rangeClosed(1, scenarios)
                .mapToObj(seed -> Simulation.run(settings, seed, Trace.off()).violation())
                .filter(Objects::nonNull)
                .peek(violation -> assertThat(violation.kind()).isNotEqualTo(Kind.ERROR))
                .anyMatch(violation -> violation.kind() == Kind.SAFETY))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1, 120", "2, 20"})
  void theHardenedOneToleratesLiars(int byzantine, long scenarios) {
    Need need = SigmaProtocol.HARDENED;
    Thresholds thresholds = need.thresholds(need.leastServers(byzantine), byzantine);
    Campaign.Report report = campaign(thresholds, byzantine, SIGMA.lies(), 0, false, scenarios);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.withCountedLie()).isGreaterThan(scenarios / 2);
  }

  @ParameterizedTest
  @EnumSource(ByzantineKind.class)
  void theHardenedOneToleratesEachLieAlone(ByzantineKind kind) {
    Thresholds thresholds = SigmaProtocol.HARDENED.thresholds(4, 1);
    Campaign.Report report = campaign(thresholds, 1, Set.of(kind), 0, false, 12);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
  }

  /** The bound counts both: five servers, of which one lies and one forgets, with four grants. */
  @Test
  void theHardenedOneToleratesALiarAndAForgetfulServerWhereGrantsMeetInThree() {
    Thresholds thresholds = SigmaProtocol.HARDENED.thresholds(5, 1, 4);
    assertThat(SIGMA.resetsBorne(thresholds, 1, false)).isEqualTo(1);
    Campaign.Report report = campaign(thresholds, 1, SIGMA.lies(), 1, false, 60);

    assertThat(report.violations(Kind.SAFETY)).isZero();
  }

  @Test
  void oneLiarMoreLetsTwoInToTheHardenedOne() {
    Thresholds thresholds = SigmaProtocol.HARDENED.thresholds(4, 1);
    Campaign.Report report =
        campaign(thresholds, 2, Set.of(ByzantineKind.ALWAYS_FREE), 0, false, 60);

    assertThat(report.violations(Kind.SAFETY)).isPositive();
    assertThat(report.violations(Kind.ERROR)).isZero();
  }
}
