package io.testudo.bench.contention;

import com.google.common.primitives.ImmutableLongArray;
import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.LateGrants;
import io.testudo.mutex.backoff.Release;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run of the model: servers, clients that had their turn long ago and are idle now, and
 * contenders that each want one turn. All of them are real machines with a session of their own.
 *
 * <p>If the variant has one who returns, the first contender comes {@link #RETURNS} times, each
 * time as soon as its turn is over.
 */
final class ContentionRun {
  static final int RETURNS = 16;

  private static final String LOCK = "lock";
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final ModelSettings settings;
  private final Variant variant;
  private final LockTiming timing;
  private final Entropy ofContenders;
  private final Entropy ofIdleClients;
  private final VirtualTime time = new VirtualTime(WALL_MILLIS);
  private final VirtualNetwork network;
  private final List<Person> contenders = new ArrayList<>();
  private Entropy delayEntropy;
  private int missing;
  private int inside;
  private int overlaps;
  private long lastEndNanos;

  private ContentionRun(ModelSettings settings, Variant variant, long seed) {
    this.settings = settings;
    this.variant = variant;
    this.timing = settings.timing(variant.tuning().waitingList());
    // What the contenders draw must not depend on how many others there are.
    Entropy entropy = Entropy.seeded(seed);
    this.ofContenders = entropy.fork(1);
    this.ofIdleClients = entropy.fork(2);
    this.delayEntropy = entropy.fork(3);
    this.network =
        new VirtualNetwork(
            time,
            (client, server) -> settings.delays().drawNanos(settings.deltaNanos(), delayEntropy),
            false);
  }

  static ContentionResult run(
      ModelSettings settings, Variant variant, int contenders, int idleClients, long seed) {
    ContentionRun run = new ContentionRun(settings, variant, seed);
    run.startServers();
    for (int i = 0; i < idleClients; i++) {
      run.comeAndGo(i);
    }
    return run.contend(contenders);
  }

  private void startServers() {
    for (ServerId server : ServerSet.firstN(settings.thresholds().servers())) {
      SimulatedMachine<ClientId> unused = network.serve(server, new BackoffServer(timing));
    }
  }

  /** A client has its turn, alone, and leaves. Servers keep what they keep of it. */
  private void comeAndGo(int number) {
    Person person = new Person("idle" + number, 1, false, true, ofIdleClients.fork(number));
    person.begin();
    settle();
    // Where no release reaches them, servers are locked for a while longer.
    time.after(timing.serverLeaseNanos(timing.maxLeaseNanos()), () -> {});
    settle();
    network.leave(person.id);
  }

  private ContentionResult contend(int count) {
    // On a full second, so that clocks in milliseconds show the same steps in every run.
    time.after(SECOND_NANOS - time.nowNanos() % SECOND_NANOS, () -> {});
    settle();
    Entropy chance = ofContenders;
    delayEntropy = chance.fork(0);
    long startNanos = time.nowNanos();
    long sentBefore = network.messages();
    double meanGapNanos =
        settings.turnsPerUnit() == null ? 0 : settings.unitNanos() / settings.turnsPerUnit();
    double arrivalNanos = 0;
    for (int i = 0; i < count; i++) {
      boolean returns = variant.returns() && i == 0;
      Person person =
          new Person(
              "contender" + i,
              returns ? RETURNS : 1,
              returns && variant.persists(),
              variant.givingBack() == ReleasePolicy.ALWAYS,
              chance.fork(1 + i));
      contenders.add(person);
      time.after((long) arrivalNanos, person::begin);
      arrivalNanos -= meanGapNanos * Math.log(1 - chance.nextDouble());
    }
    missing = contenders.stream().mapToInt(person -> person.turnsLeft).sum();
    int turns = missing;
    boolean goesOn = true;
    while (missing > 0 && goesOn) {
      goesOn = time.runNext();
    }
    return new ContentionResult(
        turns,
        lastEndNanos - startNanos,
        waits(),
        returningWait(),
        network.messages() - sentBefore,
        overlaps,
        missing == 0);
  }

  private ImmutableLongArray waits() {
    long[] waits =
        contenders.stream()
            .skip(variant.returns() ? 1 : 0)
            .mapToLong(person -> person.waitedNanos)
            .toArray();
    Arrays.sort(waits);
    return ImmutableLongArray.copyOf(waits);
  }

  private double returningWait() {
    return variant.returns() ? (double) contenders.get(0).waitedNanos / RETURNS : 0;
  }

  /** Until nothing is under way. */
  private void settle() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = time.runNext();
    }
  }

  /** One client and what it wants. */
  private final class Person implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final boolean persistent;
    private final boolean releases;
    private final SimulatedMachine<ServerId> simulated;
    private int turnsLeft;
    private long calls;
    private long begunNanos;
    private long waitedNanos;

    Person(String principal, int turns, boolean persistent, boolean releases, Entropy chance) {
      this.id = new ClientId(principal, chance.nextLong(), 0);
      this.turnsLeft = turns;
      this.persistent = persistent;
      this.releases = releases;
      BackoffClient machine =
          LateGrants.client(
              settings.thresholds(),
              timing,
              variant.tuning(),
              id.session(),
              chance,
              variant.keepsLate());
      this.simulated = network.join(id, machine, this);
    }

    void begin() {
      begunNanos = time.nowNanos();
      Acquire wish = new Acquire(LOCK, settings.holdNanos(), Acquire.FOREVER, 0, persistent);
      simulated.take(new Input.Called<>(new CallId<Held>(++calls), wish));
    }

    @Override
    public void send(ServerId to, Message message) {
      if (message instanceof Release && variant.givingBack() == ReleasePolicy.NEVER) {
        return;
      }
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (result instanceof Held held) {
        waitedNanos += time.nowNanos() - begunNanos;
        overlaps += inside > 0 ? 1 : 0;
        inside++;
        long useNanos = (long) Math.ceil(settings.holdNanos() * variant.usedShare());
        time.after(useNanos, () -> leave(held));
      }
    }

    private void leave(Held held) {
      inside--;
      missing--;
      turnsLeft--;
      lastEndNanos = time.nowNanos();
      if (releases) {
        simulated.take(
            new Input.Called<>(new CallId<Boolean>(++calls), new ReleaseCall(LOCK, held.token())));
      }
      if (turnsLeft > 0) {
        begin();
      }
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new IllegalStateException("a call that waits for ever failed", reason);
    }
  }
}
