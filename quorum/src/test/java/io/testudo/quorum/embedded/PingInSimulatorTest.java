package io.testudo.quorum.embedded;

import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.pinging.PingSimulation;
import java.util.Optional;

/** The suite in the simulator, with the faults of a seed. */
class PingInSimulatorTest extends PingSuite {
  private static final long SEED = 7;

  PingInSimulatorTest() {
    super(new PingSimulation());
  }

  @Override
  Optional<Violation> run(ScenarioSettings settings) {
    return Optional.ofNullable(Simulation.run(settings, SEED, Trace.off()).violation());
  }
}
