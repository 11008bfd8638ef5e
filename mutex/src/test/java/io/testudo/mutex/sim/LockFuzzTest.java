package io.testudo.mutex.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.LockListTypes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.sim.MachineFuzzer;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The machines of all lock protocols under anything that a decoder lets through. */
class LockFuzzTest {
  private static final LockTiming TIMING = LockTiming.standard();
  private static final List<String> LOCKS = List.of("a", "a", "b", "a name");

  private abstract static class Locks implements MachineFuzzer.Cast {
    private final WireTypes types;
    private long lastToken = 1;

    Locks(WireTypes types) {
      this.types = types.and(LockListTypes.ALL);
    }

    @Override
    public WireTypes types() {
      return types;
    }

    @Override
    public int servers() {
      return 4;
    }

    @Override
    public int clients() {
      return 3;
    }

    @Override
    public Call<?> call(Entropy entropy) {
      String lock = LOCKS.get(entropy.nextInt(LOCKS.size()));
      lastToken = entropy.chance(0.5) ? lastToken : 1 + (entropy.nextLong() >>> 1);
      return switch (entropy.nextInt(6)) {
        case 0 -> new RenewCall(lock, lastToken, 1 + entropy.nextLong(40_000_000_000L));
        case 1 -> new ReleaseCall(lock, lastToken);
        case 2 -> Acquire.of(lock, 1 + entropy.nextLong(40_000_000_000L), 0);
        case 3 -> new Acquire(lock, 1_000_000, Acquire.FOREVER, 1_000_000_000L, true);
        default -> Acquire.of(lock, 10_000_000_000L, entropy.nextLong() >>> 1);
      };
    }
  }

  private static final class Backoff extends Locks {
    Backoff() {
      super(BackoffTypes.ALL);
    }

    @Override
    public Machine<ClientId> server(ServerId self, Entropy entropy) {
      return new BackoffServer(TIMING);
    }

    @Override
    public Machine<ServerId> client(ClientId self, Entropy entropy) {
      return new BackoffClient(
          BackoffProtocol.ALL_SERVERS.thresholds(4, 1),
          TIMING,
          BackoffTuning.standard(),
          self.session(),
          GroupRankSeals.of("prod", Map.of("", SecretBytes.copyOf("k".repeat(32).getBytes(UTF_8)))),
          entropy);
    }

    @Override
    public void check(Machine<?> machine) {
      if (machine instanceof BackoffServer server) {
        assertThat(server.locks()).isLessThanOrEqualTo(LockTable.MAX_LOCKS);
      }
    }
  }

  private static final class Sigma extends Locks {
    Sigma() {
      super(SigmaTypes.ALL);
    }

    @Override
    public Machine<ClientId> server(ServerId self, Entropy entropy) {
      return new SigmaServer(
          TIMING, SigmaTuning.standard(), LockScope.everything(), entropy.fork(self.index()));
    }

    @Override
    public Machine<ServerId> client(ClientId self, Entropy entropy) {
      return new SigmaClient(
          SigmaProtocol.HARDENED.thresholds(4, 1), TIMING, SigmaTuning.standard(), entropy);
    }
  }

  @Test
  void noMachineOfBackoffEverThrows() {
    for (long seed = 1; seed <= 40; seed++) {
      MachineFuzzer.run(new Backoff(), seed, 3_000);
    }
  }

  @Test
  void noMachineOfSigmaEverThrows() {
    for (long seed = 1; seed <= 40; seed++) {
      MachineFuzzer.run(new Sigma(), seed, 3_000);
    }
  }
}
