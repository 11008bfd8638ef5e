package io.testudo.mutex.toy;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.client.LockCluster;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.mutex.sim.LockSimulation;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A new lock protocol is its package, and one line in a list. */
@Timeout(180)
class NewProtocolTest {
  private static final LockProtocols WITH_TOY =
      LockProtocols.ALL.and(new LockSimulation(new ToyProtocol(LockTiming.standard(), false)));

  private final LockProtocol toy = WITH_TOY.find("toy").orElseThrow();

  @Test
  void locksAndUnlocksByTheOrdinaryClient() throws InterruptedException {
    try (LockCluster cluster = LockCluster.start(4, 0, toy);
        LockClient alice = cluster.client("alice");
        LockClient bob = cluster.client("bob")) {
      long token;
      try (Lease lease = alice.lock("orders").acquire()) {
        token = lease.fencingToken();
        assertThat(bob.lock("orders").tryAcquire()).isEmpty();
      }
      try (Lease lease = bob.lock("orders").acquire()) {
        assertThat(lease.fencingToken()).isGreaterThan(token);
      }
    }
  }

  private static Campaign.Report simulate(LockProtocols protocols) {
    LockSimulation simulation = protocols.simulation("toy").orElseThrow();
    return Campaign.ofFirstSeeds(
        ScenarioSettings.ofSmallest(simulation, "sigma", 1, 0, simulation.lies()), 20);
  }

  @Test
  void isSimulatedLikeAllOthers() {
    Campaign.Report report = simulate(WITH_TOY);

    assertThat(report.violations(Kind.SAFETY)).isZero();
    assertThat(report.violations(Kind.ERROR)).isZero();
    assertThat(report.stats().operations()).isPositive();
  }

  @Test
  void isFoundOutIfItLetsTwoIn() {
    ToyProtocol careless = new ToyProtocol(LockTiming.standard(), true);

    assertThat(simulate(LockProtocols.of(new LockSimulation(careless))).violations(Kind.SAFETY))
        .isPositive();
  }

  @Test
  void isNotThereUnlessItIsListed() {
    assertThat(LockProtocols.ALL.protocols())
        .extracting(LockProtocol::name)
        .containsExactly("backoff", "sigma");
    assertThat(LockProtocols.ALL.find("toy")).isEmpty();
  }
}
