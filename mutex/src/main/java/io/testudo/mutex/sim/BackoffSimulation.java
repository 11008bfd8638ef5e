package io.testudo.mutex.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.quorum.Need;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/** {@code testudo simulate --protocol backoff}. */
public final class BackoffSimulation implements SimulatedProtocol {
  private static final ImmutableSet<LieKind> LIES = LieKind.ordinary();

  /** For the service loader. */
  public BackoffSimulation() {}

  @Override
  public String name() {
    return "backoff";
  }

  @Override
  public String description() {
    return "clients lock by the timed backoff mutex; nobody holds a lock that another holds";
  }

  @Override
  public List<String> modes() {
    return List.of(Need.LOCK_ALL_SERVERS.modeName(), Need.LOCK_QUORUMS.modeName());
  }

  @Override
  public Need need(String mode) {
    return mode.equals(Need.LOCK_QUORUMS.modeName()) ? Need.LOCK_QUORUMS : Need.LOCK_ALL_SERVERS;
  }

  @Override
  public WireTypes types() {
    return BackoffTypes.ALL;
  }

  @Override
  public ImmutableSet<LieKind> lies() {
    return LIES;
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return new LockWorkload(new BackoffBackend(settings.thresholds(), settings.liars()));
  }
}
