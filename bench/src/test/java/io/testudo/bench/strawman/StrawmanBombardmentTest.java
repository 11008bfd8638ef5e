package io.testudo.bench.strawman;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockListTypes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.sim.MachineFuzzer;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Both machines of the strawman under anything that a decoder lets through. */
class StrawmanBombardmentTest {
  private static final LockTiming TIMING = LockTiming.standard();
  private static final List<String> LOCKS = List.of("a", "a", "b", "a name");

  private static final class Strawman implements MachineFuzzer.Cast {
    private long lastToken = 1;

    @Override
    public WireTypes types() {
      return StrawmanTypes.ALL.and(LockListTypes.ALL);
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
    public Machine<ClientId> server(ServerId self, Entropy entropy) {
      return new StrawmanServer(TIMING, LockScope.everything());
    }

    @Override
    public Machine<ServerId> client(ClientId self, Entropy entropy) {
      return new StrawmanClient(
          SigmaProtocol.CRASHES.thresholds(4, 1), TIMING, RandomRetry.standard(), entropy);
    }

    @Override
    public Call<?> call(Entropy entropy) {
      String lock = LOCKS.get(entropy.nextInt(LOCKS.size()));
      lastToken = entropy.chance(0.5) ? lastToken : 1 + (entropy.nextLong() >>> 1);
      return switch (entropy.nextInt(5)) {
        case 0 -> new RenewCall(lock, lastToken, 1 + entropy.nextLong(40_000_000_000L));
        case 1 -> new ReleaseCall(lock, lastToken);
        case 2 -> Acquire.of(lock, 1 + entropy.nextLong(40_000_000_000L), 0);
        default -> Acquire.of(lock, 10_000_000_000L, entropy.nextLong() >>> 1);
      };
    }
  }

  @Test
  void neitherMachineEverThrows() {
    for (long seed = 1; seed <= 20; seed++) {
      MachineFuzzer.run(new Strawman(), seed, 2_000);
    }
  }
}
