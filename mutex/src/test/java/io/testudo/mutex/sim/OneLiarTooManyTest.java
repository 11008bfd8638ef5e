package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.LockScenarioTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Violation.Kind;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With one liar more than it is made for the lock breaks, and the checker sees it. */
class OneLiarTooManyTest {
  @ParameterizedTest
  @CsvSource({"all-servers, 1", "all-servers, 2", "quorums, 1"})
  void letsTwoHoldALockWithOneLiarMore(String mode, int byzantine) {
    Set<ByzantineKind> lies = EnumSet.of(ByzantineKind.ALWAYS_FREE);
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(mode, byzantine, byzantine + 1, lies), 40);

    assertThat(report.violations(Kind.SAFETY)).isPositive();
    assertThat(report.violations(Kind.ERROR)).isZero();
  }
}
