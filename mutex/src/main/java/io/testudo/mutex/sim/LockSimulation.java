package io.testudo.mutex.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import java.util.function.Function;

/** How a lock protocol is simulated: {@code testudo simulate --protocol NAME}. */
public final class LockSimulation implements SimulatedProtocol {
  private static final ImmutableSet<ByzantineKind> LIES = ByzantineKind.ordinary();

  private final LockProtocol protocol;
  private final Function<ScenarioSettings, SimulatedLock> locks;

  /**
   * Simulates a protocol with invariants and lies of its own, besides those of every lock.
   *
   * @param locks makes what one run needs
   */
  public LockSimulation(LockProtocol protocol, Function<ScenarioSettings, SimulatedLock> locks) {
    this.protocol = protocol;
    this.locks = locks;
  }

  /** Simulates a protocol of which only that is known which holds for every lock. */
  public LockSimulation(LockProtocol protocol) {
    this(protocol, settings -> new AnyLock(protocol, settings));
  }

  /** What is simulated. */
  public LockProtocol protocol() {
    return protocol;
  }

  @Override
  public String name() {
    return protocol.name();
  }

  @Override
  public String description() {
    return protocol.description();
  }

  @Override
  public List<String> modes() {
    return protocol.needs().stream().map(Need::modeName).toList();
  }

  @Override
  public Need need(String mode) {
    return protocol.needs().stream()
        .filter(need -> need.modeName().equals(mode))
        .findFirst()
        .orElseGet(() -> protocol.needs().get(0));
  }

  /** None where f is the number of servers that are away or forget. */
  @Override
  public int liarsBorne(Thresholds thresholds) {
    return thresholds.need().toleratesLiars() ? thresholds.faults() : 0;
  }

  /** What is on no disk is forgotten. */
  @Override
  public boolean hasResets() {
    return !protocol.keepsJournal();
  }

  /** Two holders would share so many servers, and of those one must neither lie nor forget. */
  @Override
  public int resetsBorne(Thresholds thresholds, int liars, boolean quarantine) {
    if (!hasResets()) {
      return 0;
    }
    return quarantine ? thresholds.servers() : Math.max(0, thresholds.shared() - 1 - liars);
  }

  @Override
  public boolean drawsQuorums(String mode) {
    return protocol instanceof BackoffProtocol && !need(mode).asksOneQuorum();
  }

  @Override
  public WireTypes types() {
    return protocol.types();
  }

  @Override
  public ImmutableSet<ByzantineKind> lies() {
    return LIES;
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return new LockWorkload(locks.apply(settings));
  }
}
