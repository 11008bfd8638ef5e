package io.testudo.bench.contention.counter;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.primitives.ImmutableLongArray;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualCores;
import io.testudo.bench.virtual.VirtualLiar;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.sim.OrderingForger;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One run: clients, each with a session of its own, increment one counter again and again, and
 * readers read it. Computing takes no time, unless the case says so.
 */
final class CounterRun {
  private static final String OBJECT = "counter";
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long MAX_EVENTS = 100_000_000L;
  private static final double SHORTEST_WAY = 0.4;
  private static final double LONGEST_WAY = 0.6;

  /** Who waits this long in virtual time waits for ever. */
  private static final long CALL_NANOS = TimeUnit.HOURS.toNanos(10);

  private static final int LEAST_WARM_UP = 100;
  private static final int WARM_UP_PER_CLIENT = 4;

  /** What one death disturbs is over before the next one. */
  private static final int PER_CLIENT_BETWEEN_DEATHS = 4;

  private static final ServerId LIAR = new ServerId(0);
  private static final SecretBytes GROUP_KEY =
      SecretBytes.copyOf("a group key for virtual time only".getBytes(US_ASCII));

  private final CounterCase setup;
  private final ObjectBackend backend;
  private final TypedModel<Long> model = new TypedModel<>(CounterObject.TYPE);
  private final Bytes increment = model.operation(CounterObject.ADD, 1L);
  private final Entropy entropy;
  private final VirtualTime time = new VirtualTime(WALL_MILLIS, MAX_EVENTS);
  private final VirtualNetwork network;
  private final List<Server> servers = new ArrayList<>();
  private final CounterCheck check = new CounterCheck();
  private final ImmutableLongArray.Builder waits = ImmutableLongArray.builder();
  private final ImmutableLongArray.Builder reads = ImmutableLongArray.builder();
  private Phase phase = Phase.WARMING_UP;
  private int callers;
  private int underWay;
  private long increments;
  private long readsEnded;
  private long sinceDeath;
  private long diedNanos;
  private int deaths;

  private record Server(Machine<ClientId> machine, SimulatedMachine<ClientId> simulated) {}

  private enum Phase {
    WARMING_UP,
    MEASURING,
    /** No call begins any more. */
    ENDING
  }

  private CounterRun(CounterCase setup, long seed) {
    this.setup = setup;
    this.backend = new ObjectBackend(setup.mode()).withTurns(setup.turns());
    this.entropy = Entropy.seeded(seed);
    Entropy delays = entropy.fork(1);
    this.network =
        new VirtualNetwork(
            time,
            (client, server) ->
                (long)
                    (setup.roundTripNanos()
                        * (SHORTEST_WAY + (LONGEST_WAY - SHORTEST_WAY) * delays.nextDouble())),
            setup.inOrder());
    CounterCase.Computing computing = setup.computing();
    if (computing.takesTime()) {
      network.computeOn(new VirtualCores(time, computing.cores(), computing.costNanos()));
    }
  }

  /**
   * Runs until as much was measured as is planned.
   *
   * @throws MeasurementException if the run has no end, or the counter did not count
   */
  static CounterResult run(CounterCase setup, CounterPlan plan, long seed) {
    return new CounterRun(setup, seed).measure(plan);
  }

  private CounterResult measure(CounterPlan plan) {
    for (ServerId server : ServerSet.firstN(setup.thresholds().servers())) {
      Machine<ClientId> machine = newServer(entropy.fork(server.index()));
      servers.add(new Server(machine, network.serve(server, machine)));
    }
    for (int i = 0; i < setup.clients() + setup.readers(); i++) {
      Caller caller = new Caller(i >= setup.clients());
      time.after(entropy.nextLong(setup.roundTripNanos()), caller::begin);
    }
    long warmUp = Math.max(LEAST_WARM_UP, (long) WARM_UP_PER_CLIENT * setup.clients());
    while (increments < warmUp) {
      goOn();
    }
    phase = Phase.MEASURING;
    goWrong();
    long beginNanos = time.nowNanos();
    long sentBefore = network.messages();
    increments = 0;
    readsEnded = 0;
    sinceDeath = 0;
    while (setup.holderDies()
        ? deaths < plan.deaths() || !isUndisturbed()
        : increments < plan.increments(setup.clients()) && readsEnded < plan.reads()) {
      goOn();
    }
    phase = Phase.ENDING;
    long measuredNanos = time.nowNanos() - beginNanos;
    long sent = network.messages() - sentBefore;
    long ended = increments;
    long readEnded = readsEnded;
    while (underWay > 0) {
      goOn();
    }
    CounterResult result =
        new CounterResult(ended, readEnded, measuredNanos, sent, waits.build(), reads.build());
    lookAtTheEnd();
    return result;
  }

  private void goOn() {
    if (!time.runNext()) {
      throw new MeasurementException("a run has no end (" + setup + ")", null);
    }
  }

  private void lookAtTheEnd() {
    Caller last = new Caller(true);
    last.begin();
    while (underWay > 0) {
      goOn();
    }
    check.ended(last.lastRead);
  }

  private Machine<ClientId> newServer(Entropy chance) {
    return new Together<>(backend.serverMachines(chance));
  }

  private void goWrong() {
    ByzantineKind lie = setup.fault() == null ? null : setup.fault().lie();
    if (lie != null) {
      Server honest = servers.get(LIAR.index());
      honest.simulated().end();
      VirtualLiar unused =
          new VirtualLiar(
              LIAR,
              setup.thresholds().servers(),
              lie,
              time,
              network,
              backend.types(),
              new OrderingForger(),
              this::newServer,
              honest.machine().snapshot(),
              entropy.fork(2));
    }
  }

  private boolean isUndisturbed() {
    return sinceDeath >= (long) PER_CLIENT_BETWEEN_DEATHS * setup.clients();
  }

  /** A client orders: it may be its last deed. */
  private void orders(Caller orderer) {
    if (setup.holderDies() && phase == Phase.MEASURING && isUndisturbed()) {
      sinceDeath = 0;
      time.after(entropy.nextLong(setup.roundTripNanos()), orderer::die);
    }
  }

  /** A client that calls again and again. */
  private final class Caller implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final boolean isReader;
    private final SimulatedMachine<ServerId> machine;
    private long calls;
    private long begunNanos;
    private long highestBefore;
    private long lastRead;
    private boolean isWaiting;
    private boolean isDead;

    Caller(boolean isReader) {
      this.isReader = isReader;
      Entropy chance = entropy.fork(callers);
      this.id = new ClientId("client" + callers++, chance.nextLong(), 0);
      this.machine =
          network.join(
              id,
              backend.clientMachine(
                  setup.thresholds(),
                  id.principal(),
                  id.session(),
                  setup.mode() == Mode.PLAIN
                      ? ObjectSeals.none()
                      : ObjectSeals.group("bench", Map.of("", GROUP_KEY)),
                  chance),
              this);
    }

    void beginAgain() {
      if (!isDead && phase != Phase.ENDING) {
        begin();
      }
    }

    void begin() {
      isWaiting = true;
      underWay++;
      begunNanos = time.nowNanos();
      highestBefore = check.highest();
      Call<?> call =
          isReader
              ? new ReadObject(OBJECT, model, CALL_NANOS)
              : new SubmitOperation(OBJECT, model, increment, CALL_NANOS);
      machine.take(new Input.Called<>(new CallId<>(++calls), call));
    }

    void die() {
      if (phase != Phase.MEASURING) {
        return;
      }
      isDead = true;
      network.leave(id);
      if (isWaiting) {
        underWay--;
        check.becameUnknown();
      }
      deaths++;
      sinceDeath = 0;
      diedNanos = time.nowNanos();
      new Caller(false).begin();
    }

    @Override
    public void send(ServerId to, Message message) {
      if (message instanceof Propose) {
        orders(this);
      }
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      isWaiting = false;
      underWay--;
      long tookNanos = time.nowNanos() - begunNanos;
      if (result instanceof OperationResult incremented) {
        check.incremented(
            model.result(OBJECT, CounterObject.ADD, incremented.result()), highestBefore);
        increments++;
        sinceDeath++;
        if (phase != Phase.WARMING_UP && (!setup.holderDies() || begunNanos < diedNanos)) {
          waits.add(tookNanos);
        }
      } else if (result instanceof ReadResult read
          && read.state() instanceof Legible<?> legible
          && legible.state() instanceof Long count) {
        lastRead = count;
        check.read(lastRead, highestBefore);
        readsEnded++;
        if (phase != Phase.WARMING_UP) {
          reads.add(tookNanos);
        }
      } else {
        throw new IllegalStateException("an unexpected result: " + result);
      }
      // In this instant, but after the step that completed it.
      time.after(isReader ? 0 : setup.thinkNanos(), this::beginAgain);
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new MeasurementException("a call failed: " + reason.getMessage(), reason);
    }
  }
}
