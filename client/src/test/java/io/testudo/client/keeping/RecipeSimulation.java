package io.testudo.client.keeping;

import com.google.common.collect.ImmutableSet;
import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.keeping.Surroundings.RecipeClock;
import io.testudo.client.roster.LeaseRule;
import io.testudo.client.roster.RosterType;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.ordering.sim.OrderingForger;
import io.testudo.ordering.sim.OrderingSimulation;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** As ordering, with a recipe for its workload. */
final class RecipeSimulation implements SimulatedProtocol {
  private static final long MILLI = 1_000_000L;

  /** Clocks of the simulator err by less. */
  private static final double DRIFT = 0.05;

  private static final SecretBytes KEY =
      SecretBytes.copyOf("a group key for simulations only".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("sim", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));
  private static final OrderTiming TIMING =
      new OrderTiming(60 * MILLI, 400 * MILLI, 10_000, 4, 150 * MILLI, 20 * MILLI, 300 * MILLI);

  private final OrderingSimulation ordering = new OrderingSimulation();
  private final Function<Thresholds, Workload> workload;

  RecipeSimulation(Function<Thresholds, Workload> workload) {
    this.workload = workload;
  }

  Campaign.Report run(int liars, Set<ByzantineKind> kinds, long scenarios) {
    return Campaign.ofFirstSeeds(
        ScenarioSettings.ofSmallest(this, modes().get(0), 1, liars, kinds), scenarios);
  }

  @Override
  public String name() {
    return "recipes";
  }

  @Override
  public String description() {
    return "clients share a recipe";
  }

  @Override
  public List<String> modes() {
    return List.of(Mode.SEALED_STATEMENTS.need().modeName());
  }

  @Override
  public Need need(String mode) {
    return ordering.need(mode);
  }

  @Override
  public boolean hasSeals(String mode) {
    return true;
  }

  @Override
  public WireTypes types() {
    return OrderingTypes.ALL;
  }

  @Override
  public ImmutableSet<ByzantineKind> lies() {
    return ordering.lies();
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return workload.apply(settings.thresholds());
  }

  /** What clients of one roster do; those who extend it say what. */
  abstract static class OnRoster implements Workload {
    private final Thresholds thresholds;
    private final RosterType type;
    private final int size;
    private final Runnable whenTold;
    private final Map<ClientId, RosterKeeper> keepers = new HashMap<>();
    private String broken = "";

    OnRoster(Thresholds thresholds, RosterType type, int size, Runnable whenTold) {
      this.thresholds = thresholds;
      this.type = type;
      this.size = size;
      this.whenTold = whenTold;
    }

    int size() {
      return size;
    }

    void broke(String what) {
      broken = what;
    }

    RosterKeeper keeperOf(ClientPort port) {
      return keepers.computeIfAbsent(port.self(), any -> keeper(port));
    }

    private RosterKeeper keeper(ClientPort port) {
      Surroundings around =
          new Surroundings(
              new PortClock(port),
              task -> port.after(0, task),
              new LeaseRule(DRIFT),
              port.self().principal(),
              port.entropy()::nextLong);
      return new RosterKeeper(
          new SimulatedObject<>(port, type.type(), Duration.ofSeconds(5), whenTold),
          type,
          size,
          around);
    }

    @Override
    public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
      return new OrderingServer(
          Mode.SEALED_STATEMENTS,
          Enrolment.FOUNDING,
          new OrderingServer.Settings(100 * MILLI, 1L << 30));
    }

    @Override
    public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
      return new OrderingClient(
          thresholds, Mode.SEALED_STATEMENTS, TIMING, OpId.sessionOf(self), SEALS, entropy);
    }

    @Override
    public Forger forger() {
      return new OrderingForger();
    }

    @Override
    public void onClientDies(ClientId client) {
      keepers.remove(client);
    }

    @Override
    public int closingOperations() {
      return 2;
    }

    @Override
    public long maxClientBytes() {
      return 12 << 20;
    }

    @Override
    public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
      return message instanceof Changed && ((OrderingClient) client).heeds(from, message);
    }

    @Override
    public void afterServerStep(ServerId server, long starts, Machine<ClientId> machine) {
      check();
    }

    @Override
    public void atEnd() {
      check();
    }

    private void check() {
      if (!broken.isEmpty()) {
        throw Violation.safety(broken);
      }
    }
  }

  private record PortClock(ClientPort port) implements RecipeClock {
    @Override
    public Moment now() {
      return new Moment(port.clock().nanos(), port.clock().wallMillis());
    }

    @Override
    public Pending later(long nanos, Runnable task) {
      boolean[] cancelled = new boolean[1];
      port.after(
          nanos,
          () -> {
            if (!cancelled[0]) {
              task.run();
            }
          });
      return () -> cancelled[0] = true;
    }
  }
}
