package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.ByzantineStrategy;
import io.testudo.quorum.sim.byzantine.Collusion;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run from one seed. First chaos, as the plan says; then all is well but for the liars, and
 * from there every operation must succeed. The workload's checks run all along.
 */
public final class Simulation {
  private static final int LEAST_CLIENTS = 3;
  private static final int LEAST_OPERATIONS = 20;

  /** So many more come where all want the same. */
  private static final int CROWD = 3;

  /** How much longer chaos lasts when clients have not begun all their operations in it. */
  private static final long MORE_CHAOS_NANOS = 200_000_000L;

  /** One that a workload strikes down is back while what it had granted is still held. */
  private static final long SHORT_DOWN_NANOS = 20_000_000L;

  /** A run that is longer than this will never end. */
  private static final long MAX_EVENTS = 2_000_000;

  private static final ImmutableSet<ByzantineKind> OF_MEMORY =
      Sets.immutableEnumSet(
          ByzantineKind.EQUIVOCATE,
          ByzantineKind.STALE,
          ByzantineKind.NO_STORE,
          ByzantineKind.FORGET,
          ByzantineKind.TWINS,
          ByzantineKind.ALWAYS_FREE);

  private final long seed;
  private final World world;
  private final SimNode[] nodes;
  private final List<SimServer> servers = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final Clients names;
  private final Ordeal ordeal;
  private @Nullable LostWitness lostWitness;
  private @Nullable SimServer latecomer;
  private @Nullable Liar late;
  private @Nullable SimByzantineClient rogue;
  private int finished;

  private Simulation(ScenarioSettings settings, long seed, @Nullable FaultPlan plan, Trace trace) {
    this.seed = seed;
    Entropy entropy = Entropy.seeded(seed);
    int serverCount = settings.thresholds().servers();
    int few = LEAST_CLIENTS + entropy.nextInt(3);
    FaultPlan drawn = FaultPlan.draw(entropy.fork(3));
    Hazards hazards = Hazards.draw(settings.hazards(), seed);
    boolean isCrowded = hazards.has(Hazard.STARVATION);
    int clientCount = isCrowded ? few + CROWD : few;
    int rogues = hazards.has(Hazard.ROGUE) ? 1 : 0;
    nodes = new SimNode[serverCount + clientCount + rogues];
    FaultPlan own =
        hazards.has(Hazard.NO_FAULTS)
            ? FaultPlan.calm()
            : isCrowded || hazards.isOtherwiseQuiet() ? drawn.withoutFaults() : drawn;
    world =
        new World(
            nodes.length,
            plan == null ? own : plan,
            entropy,
            hazards,
            trace,
            settings.protocol().workload(settings),
            settings.protocol().types(),
            parcel -> nodes[parcel.to()].arrive(parcel));
    world.workload.begin(entropy.fork(5));
    world.workload.expose(hazards.all());
    names = new Clients(serverCount, clientCount, rogues);
    boolean loses =
        world.hazards.has(Hazard.READMISSION)
            && world.workload.readmits()
            && settings.liars() <= settings.thresholds().faults();
    makeServers(settings, loses);
    world.workload.meet(this::strike);
    int least = isCrowded ? 0 : hazards.isLong() ? 2 * LEAST_OPERATIONS : LEAST_OPERATIONS;
    int operationsEach = (least + clientCount - 1) / clientCount;
    for (int node = serverCount; node < serverCount + clientCount; node++) {
      SimClient client = new SimClient(world, node, names, operationsEach);
      nodes[node] = client;
      clients.add(client);
    }
    if (rogues > 0) {
      rogue =
          new SimByzantineClient(
              world, nodes.length - 1, serverCount, settings.protocol().rogueTypes());
      nodes[nodes.length - 1] = rogue;
    }
    ordeal = new Ordeal(world, servers, clients, loses, latecomer, this::turn);
    if (latecomer != null && world.workload.losesWitnesses() && hazards.entropy.chance(0.5)) {
      lostWitness =
          new LostWitness(world, servers, clients, latecomer, server -> turn(server, List.of()));
    }
  }

  /** What a liar is, before it lies. */
  private record Liar(
      ByzantineStrategy lie, StrategyContext context, boolean goesBack, String description) {}

  /**
   * Makes the servers, liars among them.
   *
   * @param loses whether a server will lose its disk: then one of the liars is honest until that
   *     server counts again
   */
  private void makeServers(ScenarioSettings settings, boolean loses) {
    int count = settings.thresholds().servers();
    Entropy entropy = world.entropy.fork(4);
    int lying = world.hazards.has(Hazard.NO_FAULTS) ? 0 : settings.liars();
    ServerSet liars = draw(lying, count, entropy);
    Collusion commonCollusion = new Collusion(entropy.nextLong());
    boolean collude = entropy.chance(0.5);
    @Nullable ServerId honestFirst = loses && !liars.isEmpty() ? liars.iterator().next() : null;
    world.setLiars(honestFirst == null ? liars : liars.without(honestFirst));
    List<ByzantineKind> commonKinds = liars.isEmpty() ? List.of() : drawKinds(settings, entropy);
    for (ServerId id : ServerSet.firstN(count)) {
      if (!liars.contains(id)) {
        addServer(id);
        continue;
      }
      List<ByzantineKind> drawn = collude ? commonKinds : drawKinds(settings, entropy);
      List<ByzantineKind> kinds =
          id.equals(honestFirst) ? lateKinds(settings, drawn) : world.hazards.lies(drawn);
      Entropy own = entropy.fork(id.index());
      Collusion collusion = collude ? commonCollusion : new Collusion(own.nextLong());
      ByzantineStrategy lie =
          kinds.stream().map(kind -> kind.begin(own)).reduce(ByzantineStrategy::and).orElseThrow();
      StrategyContext context =
          new StrategyContext(
              id, count, world.workload.forger(), settings.protocol().types(), own, collusion);
      Liar liar =
          new Liar(
              lie,
              context,
              kinds.contains(ByzantineKind.ROLLED_BACK),
              kinds + (collude ? ", with the others" : ""));
      if (id.equals(honestFirst)) {
        late = liar;
        latecomer = addServer(id);
      } else {
        addLiar(id, liar, List.of(), List.of());
      }
    }
  }

  private SimServer addServer(ServerId id) {
    SimServer server = new SimServer(world, id, names);
    nodes[id.index()] = server;
    servers.add(server);
    return server;
  }

  private void addLiar(ServerId id, Liar liar, List<StateRecord> kept, List<StateRecord> oldCopy) {
    List<StateRecord> believed = liar.goesBack() ? oldCopy : kept;
    SimByzantineServer node =
        new SimByzantineServer(world, id, names, liar.lie(), liar.context(), kept, believed);
    node.note("lies: " + liar.description());
    nodes[id.index()] = node;
    if (world.hazards.has(Hazard.STARVATION)) {
      world.network.bringNear(id.index()); // Who is heard first can do most harm.
    }
  }

  /** A server that was honest so far lies from now on, with what it knows or once knew. */
  private void turn(SimServer server, List<StateRecord> oldCopy) {
    servers.remove(server);
    world.setLiars(world.liars().with(server.id()));
    addLiar(server.id(), Objects.requireNonNull(late), server.retire(), oldCopy);
  }

  private void strike(ServerId id) {
    for (SimServer server : servers) {
      if (server.id().equals(id)) {
        world.events.after(1, () -> strikeUnlessCalm(server));
      }
    }
  }

  private void strikeUnlessCalm(SimServer server) {
    if (!world.isCalm()) {
      server.crash(SHORT_DOWN_NANOS);
    }
  }

  private static ServerSet draw(int count, int of, Entropy entropy) {
    ServerSet drawn = ServerSet.none();
    while (drawn.size() < count) {
      drawn = drawn.with(new ServerId(entropy.nextInt(of)));
    }
    return drawn;
  }

  /** Who begins to lie late does so best by what it should know and does not. */
  private List<ByzantineKind> lateKinds(ScenarioSettings settings, List<ByzantineKind> drawn) {
    List<ByzantineKind> fitting = settings.lieKinds().stream().filter(OF_MEMORY::contains).toList();
    Entropy entropy = world.hazards.entropy;
    if (entropy.chance(0.5)) {
      return List.of(ByzantineKind.ROLLED_BACK);
    }
    return fitting.isEmpty() || entropy.chance(0.4)
        ? drawn
        : List.of(fitting.get(entropy.nextInt(fitting.size())));
  }

  /** One kind of lie, or two at once. */
  private static List<ByzantineKind> drawKinds(ScenarioSettings settings, Entropy entropy) {
    List<ByzantineKind> all = settings.lieKinds().asList();
    ByzantineKind first = all.get(entropy.nextInt(all.size()));
    ByzantineKind second = all.get(entropy.nextInt(all.size()));
    return first == second || entropy.chance(0.5) ? List.of(first) : List.of(first, second);
  }

  /** Runs the scenario of a seed. */
  public static ScenarioResult run(ScenarioSettings settings, long seed, Trace trace) {
    return new Simulation(settings, seed, null, trace).run();
  }

  /** Runs the scenario of a seed, with a plan of faults that is not drawn from it. */
  public static ScenarioResult run(
      ScenarioSettings settings, long seed, FaultPlan plan, Trace trace) {
    return new Simulation(settings, seed, plan, trace).run();
  }

  private ScenarioResult run() {
    Violation violation = null;
    try {
      servers.forEach(SimServer::start);
      clients.forEach(SimClient::start);
      if (rogue != null) {
        rogue.start();
      }
      new Nemesis(world, servers, clients, rogue == null ? nodes.length : nodes.length - 1).begin();
      if (lostWitness == null) {
        ordeal.begin();
      } else {
        lostWitness.begin();
      }
      world.events.after(world.plan.chaosNanos(), this::becomeCalm);
      untilFinished();
      world.close();
      settle();
      world.workload.atEnd();
    } catch (RuntimeException | Error e) {
      Violation found = Violation.of("the simulation", e);
      violation = found;
      world.trace.note(
          world.events.nowNanos(), "check", () -> found.kind() + ": " + found.getMessage());
    }
    return new ScenarioResult(seed, world.stats, violation);
  }

  private void becomeCalm() {
    if (!clients.stream().allMatch(SimClient::isDoneWithChaos) || isUnderWay()) {
      world.events.after(MORE_CHAOS_NANOS, this::becomeCalm);
      return;
    }
    world.trace.note(world.events.nowNanos(), "net", () -> "all is well from now on");
    world.becomeCalm();
    servers.forEach(SimServer::start);
    clients.forEach(SimClient::becomeCalm);
  }

  private boolean isUnderWay() {
    return !ordeal.isOver() || (lostWitness != null && !lostWitness.isOver());
  }

  /** Who has finished has done so for good: of those in front nobody is asked again. */
  private boolean isFinished() {
    while (finished < clients.size() && clients.get(finished).isFinished()) {
      finished++;
    }
    return finished == clients.size();
  }

  /** Lets what is still under way arrive. */
  private void settle() {
    boolean[] settled = {false};
    world.events.after(world.workload.settlingNanos(), () -> settled[0] = true);
    while (!settled[0]) {
      world.events.runNext();
    }
  }

  private void untilFinished() {
    long happened = 0;
    while (!isFinished()) {
      if (!world.events.runNext()) {
        throw Violation.liveness("nothing happens any more, and operations are still open");
      }
      if (++happened > MAX_EVENTS) {
        throw Violation.liveness("all is well, and still operations do not come to an end");
      }
    }
  }
}
