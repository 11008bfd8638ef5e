package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.sim.ZoneExperiment.Membership;
import io.testudo.mutex.dht.sim.ZoneExperiment.Outcome;
import io.testudo.mutex.dht.sim.ZoneExperiment.Setting;
import io.testudo.quorum.ShareQuorum;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two bounds of zone voting: docs/dht.md. */
class ZoneExperimentTest {
  private static List<Outcome> run(
      int percent, boolean queues, double malicious, Membership membership, int instituted) {
    ShareQuorum quorum = new ShareQuorum(percent, 100);
    return ZoneExperiment.run(
        new Setting(quorum, queues, Routings.RING, 24, malicious, membership, instituted), 1);
  }

  @ParameterizedTest
  @CsvSource({
    // percent of the space that wins, Sigma's rules, least share of liars, what members do
    "75, true, 0.00, STEADY",
    "75, true, 0.10, CHURNING",
    "75, false, 0.10, STEADY",
    "90, true, 0.40, GROWING",
    "60, true, 0.60, SHRINKING",
    "60, true, 0.25, STEADY",
  })
  void liarsWithinABoundDoNoHarmAndBeyondItTheyDo(
      int percent, boolean queues, double malicious, Membership membership) {
    Outcome outcome = run(percent, queues, malicious, membership, 0).get(0);
    ShareQuorum quorum = new ShareQuorum(percent, 100);
    assertThat(outcome.isExclusive()).isEqualTo(outcome.malicious() < quorum.shared());
    assertThat(outcome.progresses()).isEqualTo(outcome.malicious() <= quorum.dispensable());
  }

  @Test
  void instituteNewMembersAndBothAreRestored() {
    List<Outcome> outcomes = run(75, true, 0.55, Membership.STEADY, 60);
    assertThat(outcomes.get(0).isExclusive()).isFalse();
    assertThat(outcomes.get(0).progresses()).isFalse();
    assertThat(outcomes.get(1).malicious()).isLessThan(0.25);
    assertThat(outcomes.get(1).isExclusive()).isTrue();
    assertThat(outcomes.get(1).progresses()).isTrue();
  }
}
