package io.testudo.bench.regions;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.virtual.MessageBytes;
import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * One run in virtual time: clients in all regions, each of which enters a lock and leaves it, or
 * increments a counter, again and again. Computing takes no time; a message takes half of the round
 * trip of its regions, up to a tenth more, and overtakes no other of its connection.
 */
final class RegionRun {
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long MAX_EVENTS = 200_000_000L;
  private static final double JITTER = 0.1;
  private static final long CALL_NANOS = TimeUnit.HOURS.toNanos(10);
  private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** They do not all begin in one instant. */
  private static final long ARRIVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final SecretBytes GROUP_KEY =
      SecretBytes.copyOf("a group key for virtual time only".getBytes(US_ASCII));

  private final RegionCase setup;
  private final RegionMatrix matrix;
  private final int turnsEach;
  private final TypedModel<Long> model = new TypedModel<>(CounterObject.TYPE);
  private final Entropy entropy = Entropy.seeded(1);
  private final Entropy delays = entropy.fork(1);
  private final VirtualTime time = new VirtualTime(WALL_MILLIS, MAX_EVENTS);
  private final VirtualNetwork network = new VirtualNetwork(time, this::delayNanos, true);
  private final Map<ClientId, Integer> regions = new HashMap<>();
  private final List<Double> waitsMillis = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();
  private final Map<String, Integer> inside = new HashMap<>();
  private int busy;

  private RegionRun(RegionCase setup, RegionMatrix matrix, int turnsEach) {
    this.setup = setup;
    this.matrix = matrix;
    this.turnsEach = turnsEach;
  }

  /**
   * Each client takes so many turns that count, after one that does not.
   *
   * @throws MeasurementException if the run has no end, or two are inside of one lock
   */
  static RegionFigures run(RegionCase setup, RegionMatrix matrix, int turnsEach) {
    return new RegionRun(setup, matrix, turnsEach).measure();
  }

  private RegionFigures measure() {
    network.measureBy(new MessageBytes(isLock() ? locks().types() : objects().types()));
    for (ServerId server : ServerSet.firstN(setup.thresholds().servers())) {
      var unused = network.serve(server, newServer(entropy.fork(server.index())));
    }
    for (int i = 0; i < setup.clients(); i++) {
      Caller caller = new Caller(i);
      time.after(entropy.nextLong(ARRIVAL_NANOS), caller::begin);
    }
    busy = setup.clients();
    while (busy > 0) {
      if (!time.runNext()) {
        throw new MeasurementException("a run has no end (" + setup + ")", null);
      }
    }
    double turns = (double) setup.clients() * (turnsEach + 1);
    return RegionFigures.of(
        setup, waitsMillis, ratios, network.messages() / turns, network.bytes() / turns);
  }

  private boolean isLock() {
    return setup.isLock();
  }

  private LockProtocol locks() {
    return Objects.requireNonNull(setup.locks());
  }

  private ObjectBackend objects() {
    return new ObjectBackend(Objects.requireNonNull(setup.mode()));
  }

  private long delayNanos(ClientId client, ServerId server) {
    int from = Objects.requireNonNull(regions.get(client));
    double oneWay = matrix.oneWayNanos(from, setup.placement().regionOf(server.index()));
    return (long) (oneWay * (1 + JITTER * delays.nextDouble()));
  }

  private Machine<ClientId> newServer(Entropy chance) {
    return isLock()
        ? locks().serverMachine(LockScope.everything(), chance)
        : new Together<>(objects().serverMachines(chance));
  }

  /** A client that calls again and again. */
  private final class Caller implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final String name;
    private final double leastMillis;
    private final SimulatedMachine<ServerId> machine;
    private long calls;
    private int turns;
    private long begunNanos;

    Caller(int number) {
      Entropy chance = entropy.fork(number);
      int region = number % matrix.names().size();
      this.id = new ClientId("client" + number, chance.nextLong(), 0);
      this.name = "name-" + number / setup.sharers();
      this.leastMillis =
          setup
              .placement()
              .quorumRoundTripMillis(
                  matrix, region, setup.thresholds().servers(), setup.thresholds().quorum());
      regions.put(id, region);
      this.machine = network.join(id, newClient(chance), this);
    }

    private Machine<ServerId> newClient(Entropy chance) {
      if (isLock()) {
        return locks()
            .clientMachine(
                new LockProtocol.Member(
                    setup.thresholds(), id.session(), RankSeals.none(), chance));
      }
      return objects()
          .clientMachine(
              setup.thresholds(),
              id.principal(),
              id.session(),
              setup.mode() == Mode.PLAIN
                  ? ObjectSeals.none()
                  : ObjectSeals.group("bench", Map.of("", GROUP_KEY)),
              chance);
    }

    void begin() {
      begunNanos = time.nowNanos();
      call(
          isLock()
              ? Acquire.of(name, HOLD_NANOS, Acquire.FOREVER)
              : new SubmitOperation(
                  name, model, model.operation(CounterObject.ADD, 1L), CALL_NANOS));
    }

    private void call(Call<?> call) {
      machine.take(new Input.Called<>(new CallId<>(++calls), call));
    }

    @Override
    public void send(ServerId to, Message message) {
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (result instanceof Boolean) {
        return; // It was given back.
      }
      if (turns > 0) {
        double waited = (time.nowNanos() - begunNanos) / 1e6;
        waitsMillis.add(waited);
        ratios.add(waited / leastMillis);
      }
      turns++;
      if (result instanceof Held held) {
        enter(held);
      } else {
        time.after(0, this::goOn);
      }
    }

    /** In this instant, but after the step that completed it, it leaves. */
    private void enter(Held held) {
      if (inside.merge(name, 1, Integer::sum) != 1) {
        throw new MeasurementException("two are inside of " + name + " (" + setup + ")", null);
      }
      time.after(
          0,
          () -> {
            inside.remove(name);
            call(new ReleaseCall(held.lock(), held.token()));
            goOn();
          });
    }

    private void goOn() {
      if (turns <= turnsEach) {
        begin();
      } else {
        busy--;
      }
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new MeasurementException(
          "a call failed (%s): %s".formatted(setup, reason.getMessage()), reason);
    }
  }
}
