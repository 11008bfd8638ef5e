package io.testudo.quorum.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.pinging.PingSimulation;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must hold of the ping wherever it runs: one workload with its checks, two worlds. */
@Timeout(120)
abstract class PingSuite {
  /** For surveys that are not to succeed. */
  private static final long SHORT_NANOS = 200_000_000L;

  private final PingSimulation ping;

  PingSuite(PingSimulation ping) {
    this.ping = ping;
  }

  /** Runs the protocol's workload on four servers; gives what it found to be broken. */
  abstract Optional<Violation> run(ScenarioSettings settings);

  private ScenarioSettings settings(SimulatedProtocol protocol) {
    return new ScenarioSettings(
        protocol, ping.modes().get(0), Need.PING.thresholds(4, 1), 0, ping.lies());
  }

  @Test
  void keepsItsPromises() {
    assertThat(run(settings(ping))).isEmpty();
  }

  @Test
  void theChecksSeeServersThatTakeAnothersName() {
    assertThat(run(settings(new Misnaming(new PingSimulation(SHORT_NANOS))))).isPresent();
  }

  /** The ping with servers that take the name of a neighbour. */
  private record Misnaming(PingSimulation real) implements SimulatedProtocol {
    @Override
    public String name() {
      return "misnaming";
    }

    @Override
    public String description() {
      return "servers take the name of a neighbour";
    }

    @Override
    public List<String> modes() {
      return real.modes();
    }

    @Override
    public Need need(String mode) {
      return real.need(mode);
    }

    @Override
    public WireTypes types() {
      return PingTypes.ALL;
    }

    @Override
    public ImmutableSet<ByzantineKind> lies() {
      return real.lies();
    }

    @Override
    public Workload workload(ScenarioSettings settings) {
      return new Misnamed(real.workload(settings), settings.thresholds().servers());
    }
  }

  /** The real workload with servers that call themselves by their neighbour's name. */
  private record Misnamed(Workload real, int servers) implements Workload {
    @Override
    public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
      return new PingServer(new ServerId((self.index() + 1) % servers), servers);
    }

    @Override
    public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
      return real.newClient(self, entropy);
    }

    @Override
    public Forger forger() {
      return real.forger();
    }

    @Override
    public void operate(ClientPort port, Runnable done) {
      real.operate(port, done);
    }

    @Override
    public int closingOperations() {
      return real.closingOperations();
    }

    @Override
    public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
      return real.wouldCount(client, from, message);
    }
  }
}
