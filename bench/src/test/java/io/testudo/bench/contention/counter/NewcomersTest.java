package io.testudo.bench.contention.counter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.EndTenures;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * New clients come one after the other, several in a round trip, with one increment each, as
 * commands do. In virtual time.
 */
class NewcomersTest {
  private static final long ROUND_TRIP_NANOS = 100_000_000L;
  private static final int NEWCOMERS = 200;
  private static final SecretBytes KEY =
      SecretBytes.copyOf("a group key for virtual time only".getBytes(US_ASCII));
  private static final TypedModel<Long> MODEL = new TypedModel<>(CounterObject.TYPE);
  private static final Thresholds THRESHOLDS = Mode.SEALED_STATEMENTS.need().thresholds(4, 1);

  private final Entropy entropy = Entropy.seeded(7);
  private final VirtualTime time = new VirtualTime(1_000_000_000_000L, 50_000_000L);
  private final Entropy delays = entropy.fork(1);
  private final VirtualNetwork network =
      new VirtualNetwork(
          time,
          (client, server) -> (long) (ROUND_TRIP_NANOS * (0.4 + 0.2 * delays.nextDouble())),
          true);
  private final List<Double> waits = new ArrayList<>();

  private final class Newcomer implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final boolean leaves;
    private final SimulatedMachine<ServerId> machine;
    private final long begunNanos = time.nowNanos();

    Newcomer(ObjectBackend backend, int number, boolean leaves) {
      Entropy chance = entropy.fork(100 + number);
      this.id = new ClientId("client" + number, chance.nextLong(), 0);
      this.leaves = leaves;
      this.machine =
          network.join(
              id,
              backend.clientMachine(
                  THRESHOLDS,
                  id.principal(),
                  id.session(),
                  ObjectSeals.group("bench", Map.of("", KEY)),
                  chance),
              this);
      call(
          1,
          new SubmitOperation(
              "counter",
              MODEL,
              MODEL.operation(CounterObject.ADD, 1L),
              TimeUnit.HOURS.toNanos(10)));
    }

    private void call(long number, Call<?> call) {
      machine.take(new Input.Called<>(new CallId<>(number), call));
    }

    @Override
    public void send(ServerId to, Message message) {
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (call == 1) {
        waits.add((double) (time.nowNanos() - begunNanos) / ROUND_TRIP_NANOS);
        if (leaves) {
          time.after(0, () -> call(2, new EndTenures()));
        }
      } else {
        time.after(0, () -> network.leave(id));
      }
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new AssertionError(reason);
    }
  }

  private void arrive(ObjectBackend backend, double perRoundTrip, boolean leave, int number) {
    var unused = new Newcomer(backend, number, leave);
    if (number < NEWCOMERS) {
      double gap = -Math.log(1 - entropy.nextDouble()) / perRoundTrip;
      time.after(
          (long) (gap * ROUND_TRIP_NANOS), () -> arrive(backend, perRoundTrip, leave, number + 1));
    }
  }

  /** The median was 24 to 35 round trips when each newcomer put off who asked before it. */
  @ParameterizedTest
  @CsvSource({
    "RANK, 4, false, 3.3",
    "RANK, 8, false, 3.3",
    "RANK, 1, true, 4",
    "RANK, 4, true, 5",
    "LOCK, 4, false, 2.3",
    "LOCK, 4, true, 3.3"
  })
  void doNotPutEachOtherOff(TurnsBy turns, double perRoundTrip, boolean leave, double median) {
    ObjectBackend backend = ObjectBackend.standard().withTurns(turns);
    for (ServerId server : ServerSet.firstN(THRESHOLDS.servers())) {
      var unused =
          network.serve(
              server, new Together<>(backend.serverMachines(entropy.fork(server.index()))));
    }
    arrive(backend, perRoundTrip, leave, 1);
    while (waits.size() < NEWCOMERS) {
      assertThat(time.runNext()).isTrue();
    }
    Collections.sort(waits);
    assertThat(waits.get(NEWCOMERS / 2)).isLessThanOrEqualTo(median);
    assertThat(waits.get(NEWCOMERS - 1)).isLessThanOrEqualTo(20);
  }
}
