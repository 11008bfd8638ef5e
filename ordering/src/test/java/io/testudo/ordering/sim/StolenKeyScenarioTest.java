package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealScheme;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SealSetting;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One liar that has the keys of a client which may submit, with each kind of seals. */
class StolenKeyScenarioTest {
  private static final OrderingSimulation ORDERING = new OrderingSimulation();

  private static ScenarioSettings settings(
      SealScheme scheme, boolean stolen, Set<ByzantineKind> kinds) {
    return ScenarioSettings.ofSmallest(
            ORDERING, Mode.SEALED_STATEMENTS.need().modeName(), 1, 1, kinds)
        .with(new SealSetting(scheme, stolen));
  }

  @Test
  void letsALiarSpeakForEverybodyIfTheKeyIsShared() {
    ScenarioSettings settings =
        settings(SealScheme.HMAC_SHA256, true, Set.of(ByzantineKind.WILD_NUMBER));
    assertThat(settings.isWithinBound()).isFalse();
    Campaign.Report report = Campaign.ofFirstSeeds(settings, 10);
    assertThat(report.violationsByKind()).containsKey(Violation.Kind.SAFETY);
  }

  @Test
  void isWorthNothingToALiarIfSealsAreSignatures() {
    ScenarioSettings settings =
        settings(SealScheme.ED25519, true, Set.of(ByzantineKind.WILD_NUMBER));
    assertThat(settings.isWithinBound()).isTrue();
    Campaign.Report report = Campaign.ofFirstSeeds(settings, 10);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.withCountedLie()).isPositive();
  }

  @Test
  void keepsOneHistoryWithSignaturesInSpiteOfALiar() {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(SealScheme.ED25519, false, ORDERING.lies()), 10);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.stats().operations()).isPositive();
  }
}
