package io.testudo.mutex.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/** {@code testudo simulate --protocol sigma}. */
public final class SigmaSimulation implements SimulatedProtocol {
  private static final ImmutableSet<LieKind> LIES = LieKind.ordinary();

  /** For the service loader. */
  public SigmaSimulation() {}

  @Override
  public String name() {
    return "sigma";
  }

  @Override
  public String description() {
    return "clients lock by the crash-recovery mutex; servers lose their memory when they die";
  }

  @Override
  public List<String> modes() {
    return List.of(Need.SIGMA.modeName(), Need.SIGMA_HARDENED.modeName());
  }

  @Override
  public Need need(String mode) {
    return mode.equals(Need.SIGMA_HARDENED.modeName()) ? Need.SIGMA_HARDENED : Need.SIGMA;
  }

  /** None by itself: f is the number of servers that are away or forget. */
  @Override
  public int liarsBorne(Thresholds thresholds) {
    return thresholds.need() == Need.SIGMA_HARDENED ? thresholds.faults() : 0;
  }

  @Override
  public boolean hasResets() {
    return true;
  }

  /** Two holders would share so many servers, and of those one must neither lie nor forget. */
  @Override
  public int resetsBorne(Thresholds thresholds, int liars, boolean quarantine) {
    return quarantine ? thresholds.servers() : Math.max(0, thresholds.shared() - 1 - liars);
  }

  @Override
  public WireTypes types() {
    return SigmaTypes.ALL;
  }

  @Override
  public ImmutableSet<LieKind> lies() {
    return LIES;
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return new LockWorkload(new SigmaBackend(settings));
  }
}
