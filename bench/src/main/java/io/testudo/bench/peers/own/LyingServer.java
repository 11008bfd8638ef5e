package io.testudo.bench.peers.own;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.client.cluster.ServerMachines;
import io.testudo.client.cluster.ServerMachines.NamedMachine;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.sim.BackoffForger;
import io.testudo.node.byzantine.ByzantineMachine;
import io.testudo.node.byzantine.FaultSwitch;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.log.Logging;
import io.testudo.node.server.Journals;
import io.testudo.node.server.ServerNode;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.sim.OrderingForger;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Collusion;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A server as {@code testudo server} runs it, which lies when its standard input says so: of locks
 * by backoff and of objects, the rest is honest. It ends with its input.
 */
public final class LyingServer {
  static final String LIE = "lie";
  static final String BE_HONEST = "be-honest";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String OBJECTS = "object";
  private static final String LOCKS = "lock-" + BackoffProtocol.NAME;

  private LyingServer() {}

  /** The configuration of the server, and how it lies. */
  public static void main(String[] args) throws IOException {
    Logging.install();
    ServerConfig config = ServerConfig.read(Path.of(args[0]));
    ByzantineKind kind = ByzantineKind.ofFlag(args[1]).orElseThrow();
    Tongue tongue = new Tongue();
    ServerNode unused =
        ServerNode.start(
            config,
            Journals.in(
                config.data(),
                config.cluster().name(),
                config.self(),
                JournalOptions.defaults().withSurvives(config.survives()),
                Enrolment.EXPECTED),
            ServerLoops.start(1),
            honest -> withTongue(config, honest, tongue),
            (machine, cause) -> Runtime.getRuntime().halt(1));
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        tongue.plan =
            line.equals(LIE) ? new FaultSwitch.Plan(kind, new Collusion(RANDOM.nextLong())) : null;
      }
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static NamedMachine withTongue(ServerConfig config, NamedMachine honest, Tongue tongue) {
    return switch (honest.name()) {
      case OBJECTS -> lying(config, honest, OrderingTypes.ALL, new OrderingForger(), tongue);
      case LOCKS ->
          lying(
              config,
              honest,
              new BackoffProtocol(config.common().lock().timing()).types(),
              new BackoffForger(config.common().lock().timing()),
              tongue);
      default -> honest;
    };
  }

  private static NamedMachine lying(
      ServerConfig config, NamedMachine honest, WireTypes types, Forger forger, Tongue tongue) {
    return new ServerMachines.NamedMachine(
        honest.name(),
        () ->
            new ByzantineMachine(
                config.self(),
                config.cluster().servers(),
                honest.machine(),
                types,
                forger,
                Entropy.seeded(RANDOM.nextLong()),
                tongue),
        honest.keeps());
  }

  /** What it is told; written by one thread, read by the server's loop. */
  private static final class Tongue implements FaultSwitch {
    private volatile @Nullable Plan plan;

    @Override
    public @Nullable Plan plan() {
      return plan;
    }

    @Override
    public void lieTold() {}
  }
}
