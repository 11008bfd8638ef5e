package io.testudo.mutex.registry;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sim.LockSimulation;
import io.testudo.mutex.sim.SimulatedBackoff;
import io.testudo.mutex.sim.SimulatedSigma;
import java.util.Optional;

/**
 * Lock protocols by their names, each with how it is simulated. {@link #ALL} is the only list of
 * those that clusters can be configured with: a new one is its package and one line there.
 */
public final class LockProtocols {
  /** The usual one first. */
  public static final LockProtocols ALL =
      of(
          new LockSimulation(new BackoffProtocol(LockTiming.standard()), SimulatedBackoff::new),
          new LockSimulation(new SigmaProtocol(LockTiming.standard()), SimulatedSigma::new));

  private final ImmutableList<LockSimulation> simulations;

  private LockProtocols(ImmutableList<LockSimulation> simulations) {
    this.simulations = simulations;
  }

  /** A list of one's own. */
  public static LockProtocols of(LockSimulation... simulations) {
    return new LockProtocols(ImmutableList.copyOf(simulations));
  }

  /** These, and one more. */
  public LockProtocols and(LockSimulation another) {
    return new LockProtocols(
        ImmutableList.<LockSimulation>builder().addAll(simulations).add(another).build());
  }

  /** How they are simulated, in the order of the list. */
  public ImmutableList<LockSimulation> simulations() {
    return simulations;
  }

  /** All of them, with the usual time bounds. */
  public ImmutableList<LockProtocol> protocols() {
    return simulations.stream()
        .map(LockSimulation::protocol)
        .collect(ImmutableList.toImmutableList());
  }

  /** The one of this name, with the usual time bounds. */
  public Optional<LockProtocol> find(String name) {
    return protocols().stream().filter(protocol -> protocol.name().equals(name)).findFirst();
  }

  /** How the one of this name is simulated. */
  public Optional<LockSimulation> simulation(String name) {
    return simulations.stream().filter(one -> one.name().equals(name)).findFirst();
  }
}
