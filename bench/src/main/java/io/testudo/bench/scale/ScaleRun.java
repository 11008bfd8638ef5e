package io.testudo.bench.scale;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.spi.Entropy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One run in virtual time: clients, each with names of its own, use one after the other. Computing
 * takes no time; a message takes 0.4 to 0.6 of a round trip.
 */
final class ScaleRun {
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long ROUND_TRIP_NANOS = 1_000_000L;
  private static final double SHORTEST_WAY = 0.4;
  private static final double LONGEST_WAY = 0.6;
  private static final long CALL_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int CLIENTS = 8;

  /** Of each client. They are used by turns, so that the load of quorums evens out. */
  private static final int NAMES = 50;

  private static final ServerId SILENT = new ServerId(0);
  private static final SecretBytes GROUP_KEY =
      SecretBytes.copyOf("a group key for virtual time only".getBytes(US_ASCII));

  private final ScaleCase setup;
  private final BackoffProtocol locks;
  private final ObjectBackend objects;
  private final Thresholds thresholds;
  private final TypedModel<Long> model = new TypedModel<>(CounterObject.TYPE);
  private final Bytes increment = model.operation(CounterObject.ADD, 1L);
  private final Entropy entropy = Entropy.seeded(1);
  private final VirtualTime time = new VirtualTime(WALL_MILLIS);
  private final VirtualNetwork network;
  private final long[] received;
  private final double[] waits;
  private int ended;
  private boolean isMeasuring;

  private ScaleRun(ScaleCase setup, int operations) {
    this.setup = setup;
    this.locks = new BackoffProtocol(LockTiming.standard()).with(setup.quorums(), setup.access());
    this.objects = ObjectBackend.standard().with(setup.quorums(), setup.access());
    this.thresholds = thresholds(setup);
    this.received = new long[setup.servers()];
    this.waits = new double[operations];
    Entropy delays = entropy.fork(1);
    this.network =
        new VirtualNetwork(
            time,
            (client, server) ->
                (long)
                    (ROUND_TRIP_NANOS
                        * (SHORTEST_WAY + (LONGEST_WAY - SHORTEST_WAY) * delays.nextDouble())),
            true);
  }

  /**
   * What counts in a case.
   *
   * @throws io.testudo.quorum.QuorumConfigurationException if there are no such quorums
   */
  static Thresholds thresholds(ScaleCase setup) {
    return switch (setup.subject()) {
      case LOCK ->
          new BackoffProtocol(LockTiming.standard())
              .with(setup.quorums(), setup.access())
              .thresholds(setup.servers(), setup.byzantine(), LockOptions.Servers.ALL);
      case OBJECT ->
          ObjectBackend.standard()
              .with(setup.quorums(), setup.access())
              .thresholds(setup.servers(), setup.byzantine());
    };
  }

  /** Uses every name once or twice, and measures so many operations then. */
  static ScaleFigures run(ScaleCase setup, int operations) {
    return new ScaleRun(setup, operations).measure();
  }

  private ScaleFigures measure() {
    for (ServerId server : ServerSet.firstN(setup.servers())) {
      var unused = network.serve(server, newServer(entropy.fork(server.index())));
    }
    for (int i = 0; i < CLIENTS; i++) {
      Caller caller = new Caller(i);
      time.after(entropy.nextLong(ROUND_TRIP_NANOS), caller::begin);
    }
    int warmUp = 2 * CLIENTS * NAMES;
    while (ended < warmUp) {
      goOn();
    }
    if (setup.isSilent()) {
      network.serve(SILENT, (from, message) -> {});
    }
    ended = 0;
    isMeasuring = true;
    Arrays.fill(received, 0);
    long beginNanos = time.nowNanos();
    long sentBefore = network.messages();
    while (ended < waits.length) {
      goOn();
    }
    double trips = (time.nowNanos() - beginNanos) / (double) ROUND_TRIP_NANOS;
    return ScaleFigures.of(
        setup,
        thresholds.quorum(),
        ended / trips / CLIENTS,
        waits,
        (network.messages() - sentBefore) / (double) ended,
        Arrays.stream(received).max().orElseThrow() / (double) ended);
  }

  private void goOn() {
    if (!time.runNext()) {
      throw new MeasurementException("a run has no end (" + setup + ")", null);
    }
  }

  private Machine<ClientId> newServer(Entropy chance) {
    return switch (setup.subject()) {
      case LOCK -> locks.serverMachine(LockScope.everything(), chance);
      case OBJECT -> new Together<>(objects.serverMachines(chance));
    };
  }

  /** A client that calls again and again. */
  private final class Caller implements SimulatedMachine.Surroundings<ServerId> {
    private final int number;
    private final ClientId id;
    private final SimulatedMachine<ServerId> machine;
    private long calls;
    private int used;
    private long begunNanos;

    Caller(int number) {
      this.number = number;
      Entropy chance = entropy.fork(number);
      this.id = new ClientId("client" + number, chance.nextLong(), 0);
      this.machine = network.join(id, newClient(chance), this);
    }

    private Machine<ServerId> newClient(Entropy chance) {
      return switch (setup.subject()) {
        case LOCK ->
            locks.clientMachine(
                new LockProtocol.Member(
                    thresholds, setup.access(), id.session(), RankSeals.none(), chance));
        case OBJECT ->
            objects.clientMachine(
                thresholds,
                id.principal(),
                id.session(),
                ObjectSeals.group("bench", Map.of("", GROUP_KEY)),
                chance);
      };
    }

    void begin() {
      begunNanos = time.nowNanos();
      String name = "name-%d-%d".formatted(number, used++ % NAMES);
      call(
          switch (setup.subject()) {
            case LOCK -> Acquire.of(name, HOLD_NANOS, Acquire.FOREVER);
            case OBJECT -> new SubmitOperation(name, model, increment, CALL_NANOS);
          });
    }

    private void call(Call<?> call) {
      machine.take(new Input.Called<>(new CallId<>(++calls), call));
    }

    @Override
    public void send(ServerId to, Message message) {
      received[to.index()]++;
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (result instanceof Boolean) {
        return; // It was given back.
      }
      if (isMeasuring && ended < waits.length) {
        waits[ended] = (time.nowNanos() - begunNanos) / (double) ROUND_TRIP_NANOS;
      }
      ended++;
      // In this instant, but after the step that completed it.
      time.after(
          0,
          () -> {
            if (result instanceof Held held) {
              call(new ReleaseCall(held.lock(), held.token()));
            }
            begin();
          });
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new MeasurementException("a call failed: " + reason.getMessage(), reason);
    }
  }

  /** The ways to ask that are compared, all servers first. */
  static List<ScaleCase> ways(ScaleCase all) {
    return List.of(
        all,
        ofQuorum(all, QuorumKind.LEAST),
        ofQuorum(all, QuorumKind.GRID),
        ofQuorum(all, QuorumKind.M_GRID));
  }

  private static ScaleCase ofQuorum(ScaleCase all, QuorumKind kind) {
    return new ScaleCase(
        all.subject(), all.servers(), all.byzantine(), kind, Access.QUORUM, all.isSilent());
  }
}
