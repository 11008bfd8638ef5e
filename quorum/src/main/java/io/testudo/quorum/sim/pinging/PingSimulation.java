package io.testudo.quorum.sim.pinging;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.quorum.Need;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code testudo simulate --protocol ping}. */
public final class PingSimulation implements SimulatedProtocol {
  /** The ping has no lock to lie about and nothing to commit. */
  private static final ImmutableSet<ByzantineKind> LIES =
      Sets.immutableEnumSet(
          Sets.difference(
              ByzantineKind.ordinary(),
              EnumSet.of(
                  ByzantineKind.ALWAYS_LOCKED,
                  ByzantineKind.ALWAYS_FREE,
                  ByzantineKind.EARLY_COMMIT)));

  private static final long CALM_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final long calmTimeoutNanos;

  /** For {@link java.util.ServiceLoader}. */
  public PingSimulation() {
    this(CALM_TIMEOUT_NANOS);
  }

  /**
   * The same for a world that is slower than the simulated one.
   *
   * @param calmTimeoutNanos in which a survey must succeed when all is well
   */
  public PingSimulation(long calmTimeoutNanos) {
    this.calmTimeoutNanos = calmTimeoutNanos;
  }

  @Override
  public String name() {
    return "ping";
  }

  @Override
  public String description() {
    return "clients learn how often each server has started; it counts when b+1 report it";
  }

  @Override
  public List<String> modes() {
    return List.of(Need.PING.modeName());
  }

  @Override
  public Need need(String mode) {
    return Need.PING;
  }

  @Override
  public WireTypes types() {
    return PingTypes.ALL;
  }

  @Override
  public ImmutableSet<ByzantineKind> lies() {
    return LIES;
  }

  /** There is nothing that they could take away. */
  @Override
  public ImmutableSet<Hazard> hazards() {
    return ImmutableSet.of();
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return new PingWorkload(settings.thresholds(), calmTimeoutNanos);
  }
}
