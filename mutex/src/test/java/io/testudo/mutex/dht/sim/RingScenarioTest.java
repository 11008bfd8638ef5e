package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.sim.Violation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mutexes on a ring, with loss, repetition, reordering, churn and replicas that forget. */
class RingScenarioTest {
  private static RingCampaign.Report campaign(
      String backend, String routing, int replicas, int votes, int resets, long scenarios)
      throws InterruptedException {
    RingSettings settings =
        new RingSettings(
            DhtBackends.ofWord(backend).orElseThrow(),
            Routings.ofWord(routing).orElseThrow(),
            ReplicaPlan.of(replicas, votes, LockTiming.standard()),
            resets);
    return new RingCampaign(settings, 1).run(scenarios, Long.MAX_VALUE, 2, done -> {});
  }

  @ParameterizedTest
  @CsvSource({
    // backend, routing, replicas, votes, resets in the time of a hold
    "sigma-dht, prefix, 5, 4, 2",
    "sigma-dht, ring, 3, 2, 0",
    "sigma-dht-routed, ring, 5, 4, 2",
    "e2e, prefix, 5, 4, 2",
    "e2e, ring, 3, 2, 0",
    "non-e2e, prefix, 5, 4, 2",
    "non-e2e, ring, 3, 2, 0",
    "zone, ring, 5, 4, 5", // However many forget.
    "zone-strawman, prefix, 5, 4, 2",
  })
  void nothingBreaksWithinTheBound(
      String backend, String routing, int replicas, int votes, int resets) throws Exception {
    RingCampaign.Report report = campaign(backend, routing, replicas, votes, resets, 6);
    assertThat(report.first()).as("%s", report.first()).isNull();
    assertThat(report.entries()).isGreaterThan(60);
    assertThat(report.churned()).isPositive();
    assertThat(report.overlaps()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"sigma-dht, prefix", "e2e, ring", "non-e2e, prefix"})
  void oneResetTooManyLetsTwoInAndTheCheckerSaysSo(String backend, String routing)
      throws Exception {
    RingCampaign.Report report = campaign(backend, routing, 5, 4, 4, 12);
    assertThat(report.of(Violation.Kind.SAFETY)).as("%s", report.first()).isZero();
    assertThat(report.overlaps()).isPositive();
  }
}
