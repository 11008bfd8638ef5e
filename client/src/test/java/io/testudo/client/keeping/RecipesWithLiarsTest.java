package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.keeping.Surroundings.RecipeClock;
import io.testudo.client.roster.LeaseRule;
import io.testudo.client.roster.RosterType;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
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
import io.testudo.quorum.sim.ScenarioResult;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permits on the protocol of objects itself, with faults and lying servers. */
class RecipesWithLiarsTest {
  private static final long MILLI = 1_000_000L;

  /** Clocks of the simulator err by less. */
  private static final double DRIFT = 0.05;

  private static final LockOptions OPTIONS =
      LockOptions.standard().withHold(Duration.ofSeconds(2)).withEndlessRenewal();
  private static final SecretBytes KEY =
      SecretBytes.copyOf("a group key for simulations only".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("sim", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));
  private static final OrderTiming TIMING =
      new OrderTiming(60 * MILLI, 400 * MILLI, 10_000, 4, 150 * MILLI, 20 * MILLI, 300 * MILLI);

  /** What all runs saw. */
  private final AtomicLong granted = new AtomicLong();

  private final AtomicLong told = new AtomicLong();

  private record Taken(ClientId by, int weight) {}

  private final class Permits implements Workload {
    private final Thresholds thresholds;
    private final int size;
    private final Map<ClientId, RosterKeeper> keepers = new HashMap<>();
    private final Map<Lease, Taken> open = new LinkedHashMap<>();
    private String broken = "";

    Permits(Thresholds thresholds, int size) {
      this.thresholds = thresholds;
      this.size = size;
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

    private RosterKeeper keeper(ClientPort port) {
      Surroundings around =
          new Surroundings(
              new PortClock(port),
              task -> port.after(0, task),
              new LeaseRule(DRIFT),
              port.self().principal(),
              port.entropy()::nextLong);
      return new RosterKeeper(
          new SimulatedObject<>(
              port, RosterType.SEMAPHORE.type(), Duration.ofSeconds(5), told::incrementAndGet),
          RosterType.SEMAPHORE,
          size,
          around);
    }

    @Override
    public void operate(ClientPort port, Runnable done) {
      RosterKeeper keeper = keepers.computeIfAbsent(port.self(), any -> keeper(port));
      boolean calm = port.isCalm();
      LockOptions options =
          calm ? OPTIONS : OPTIONS.withMaxWait(Duration.ofMillis(1 + port.entropy().nextInt(900)));
      int weight = 1 + port.entropy().nextInt(size);
      CompletableFuture<Lease> asked = keeper.enter(weight, options);
      if (!calm && port.entropy().chance(0.2)) {
        port.after(port.entropy().nextLong(300 * MILLI), () -> asked.cancel(false));
      }
      var unused =
          asked.whenComplete(
              (lease, error) -> {
                if (lease == null) {
                  if (calm) {
                    broken = "all is well, and a permit is refused: " + error;
                  }
                  done.run();
                } else {
                  holds(port, lease, weight, done);
                }
              });
    }

    private void holds(ClientPort port, Lease lease, int weight, Runnable done) {
      granted.incrementAndGet();
      open.put(lease, new Taken(port.self(), weight));
      int taken =
          open.entrySet().stream()
              .filter(held -> held.getKey().isHeld())
              .mapToInt(held -> held.getValue().weight())
              .sum();
      if (taken > size) {
        broken = taken + " are held at " + port.trueNanos();
      }
      port.after(
          port.entropy().nextLong(150 * MILLI),
          () -> {
            open.remove(lease);
            lease.close();
            done.run();
          });
    }

    @Override
    public void onClientDies(ClientId client) {
      open.values().removeIf(held -> held.by().equals(client));
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
      if (!broken.isEmpty()) {
        throw Violation.safety(broken);
      }
    }

    @Override
    public void atEnd() {
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

  /** As ordering, with another workload. */
  private final class PermitsSimulation implements SimulatedProtocol {
    private final OrderingSimulation ordering = new OrderingSimulation();
    private final int size;

    PermitsSimulation(int size) {
      this.size = size;
    }

    @Override
    public String name() {
      return "permits";
    }

    @Override
    public String description() {
      return "clients share permits";
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
      return new Permits(settings.thresholds(), size);
    }
  }

  private Campaign.Report run(int size, int liars, Set<ByzantineKind> lies, long scenarios) {
    SimulatedProtocol protocol = new PermitsSimulation(size);
    return Campaign.ofFirstSeeds(
        ScenarioSettings.ofSmallest(protocol, protocol.modes().get(0), 1, liars, lies), scenarios);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "2, 8"})
  void noMoreHoldThanThereIsWhateverLiarsSay(int size, long scenarios) {
    Campaign.Report report = run(size, 1, new PermitsSimulation(size).lies(), scenarios);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(granted.get()).isGreaterThan(5 * scenarios);
    assertThat(told.get()).as("hints of servers").isPositive();
  }

  /** Whoever says at once that something changed, and whoever never says so. */
  @Test
  void bearsWithLiesAboutChanges() {
    Campaign.Report report =
        run(1, 1, Set.of(ByzantineKind.ALWAYS_FREE, ByzantineKind.WILD_NUMBER), 5);
    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(run(1, 1, Set.of(ByzantineKind.SILENT), 3).failures()).isEmpty();
  }
}
