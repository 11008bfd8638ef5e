package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.sim.MachineFuzzer;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever anybody says to anybody: no machine throws, and none grows beyond its bound. */
class OrderingFuzzTest {
  private static final long TIMEOUT_NANOS = 1_000_000_000L;
  private static final SecretBytes KEY =
      SecretBytes.copyOf("a key for fuzzing and for tests!".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("sim", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));

  /** Few enough objects that all meet, and more than the random messages can be large. */
  private static final long MOST_BYTES = 64 << 20;

  private record Objects(Mode mode, Thresholds thresholds, boolean readmits)
      implements MachineFuzzer.Cast {
    @Override
    public WireTypes types() {
      return OrderingTypes.ALL;
    }

    @Override
    public int servers() {
      return thresholds.servers();
    }

    @Override
    public int clients() {
      return 2;
    }

    @Override
    public Machine<ClientId> server(ServerId self, Entropy entropy) {
      return new OrderingServer(
          mode,
          readmits && self.index() == 0 ? Enrolment.RETURNING : Enrolment.FOUNDING,
          OrderingServer.Settings.standard());
    }

    @Override
    public Machine<ServerId> client(ClientId self, Entropy entropy) {
      OrderingClient orderer =
          new OrderingClient(
              thresholds,
              mode,
              OrderTiming.standard(),
              OpId.sessionOf(self),
              mode == Mode.PLAIN ? OrderSeals.none() : SEALS,
              entropy);
      return readmits
          ? new Readmitter(thresholds, OrderTiming.standard(), entropy, orderer)
          : orderer;
    }

    @Override
    public Call<?> call(Entropy entropy) {
      if (readmits) {
        return new ReadmitObjects(new ServerId(0), TIMEOUT_NANOS);
      }
      String object = "o" + entropy.nextInt(2);
      ObjectModel<?> model = GrowingText.MODEL;
      return switch (entropy.nextInt(5)) {
        case 0 -> new ReadObject(object, model, TIMEOUT_NANOS);
        case 1 -> ReadObject.published(object, model, TIMEOUT_NANOS);
        case 3 -> new AwaitChange(object, entropy.nextLong(5), TIMEOUT_NANOS);
        case 2 -> new AskOperation(object, model, new OpId(1, 1), TIMEOUT_NANOS);
        default -> new SubmitOperation(object, model, Bytes.utf8("a"), TIMEOUT_NANOS);
      };
    }

    @Override
    public void check(Machine<?> machine) {
      long bytes =
          machine instanceof OrderingServer server
              ? server.memoryBytes()
              : machine instanceof Readmitter readmitter
                  ? readmitter.memoryBytes()
                  : ((OrderingClient) machine).memoryBytes();
      assertThat(bytes).isLessThan(MOST_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void noMachineEverThrowsOrGrowsBeyondItsBound(Mode mode) {
    int servers = mode == Mode.PLAIN ? 7 : mode == Mode.SEALED_RANKS ? 5 : 4;
    for (boolean readmits : new boolean[] {false, true}) {
      Objects objects = new Objects(mode, mode.need().thresholds(servers, 1), readmits);
      for (long seed = 1; seed <= 10; seed++) {
        MachineFuzzer.run(objects, seed, 2_000);
      }
    }
  }
}
