package io.testudo.quorum.ping;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.sim.MachineFuzzer;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import org.junit.jupiter.api.Test;

/** The ping's machines under anything that a decoder lets through. */
class PingFuzzTest {
  private static class Pings implements MachineFuzzer.Cast {
    @Override
    public WireTypes types() {
      return PingTypes.ALL;
    }

    @Override
    public int servers() {
      return 4;
    }

    @Override
    public int clients() {
      return 2;
    }

    @Override
    public Machine<ClientId> server(ServerId self, Entropy entropy) {
      return new PingServer(self, 4);
    }

    @Override
    public Machine<ServerId> client(ClientId self, Entropy entropy) {
      return new PingClient(Need.PING.thresholds(4, 1), 20_000_000L, entropy);
    }

    @Override
    public Call<?> call(Entropy entropy) {
      Survey.Await await = entropy.nextInt(2) == 0 ? Survey.Await.ALL : Survey.Await.QUORUM;
      return new Survey(await, 1_000_000_000L);
    }
  }

  @Test
  void noMachineEverThrows() {
    for (long seed = 1; seed <= 20; seed++) {
      MachineFuzzer.run(new Pings(), seed, 2_000);
    }
  }

  /** Divides by what a client says, and so does what a server must not. */
  private static final class Divider extends Machine<ClientId> {
    Divider() {
      onMessage(
          Ping.class,
          (from, ping) ->
              send(from, new Pong(1 / (ping.nonce() + 1), new ServerId(0), 1, ping.known())));
    }
  }

  @Test
  void aMachineThatThrowsIsFound() {
    Pings fragile =
        new Pings() {
          @Override
          public Machine<ClientId> server(ServerId self, Entropy entropy) {
            return new Divider();
          }
        };
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= 100; seed++) {
                MachineFuzzer.run(fragile, seed, 2_000);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("s")
        .hasRootCauseInstanceOf(ArithmeticException.class);
  }
}
