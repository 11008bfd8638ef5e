package io.testudo.quorum.sim;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.Lie;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Plot;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run from one seed. First chaos, as the plan says; then all is well but for the liars, and
 * from there every operation must succeed. The workload's checks run all along.
 */
public final class Simulation {
  private static final int LEAST_CLIENTS = 3;
  private static final int LEAST_OPERATIONS = 20;

  /** How much longer chaos lasts when clients have not begun all their operations in it. */
  private static final long MORE_CHAOS_NANOS = 200_000_000L;

  /** One that a workload strikes down is back while what it had granted is still held. */
  private static final long SHORT_DOWN_NANOS = 20_000_000L;

  /** A run that is longer than this will never end. */
  private static final long MAX_EVENTS = 2_000_000;

  private final long seed;
  private final World world;
  private final SimNode[] nodes;
  private final List<SimServer> servers = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();

  private Simulation(ScenarioSettings settings, long seed, @Nullable FaultPlan plan, Trace trace) {
    this.seed = seed;
    Entropy entropy = Entropy.seeded(seed);
    int serverCount = settings.thresholds().servers();
    int clientCount = LEAST_CLIENTS + entropy.nextInt(3);
    nodes = new SimNode[serverCount + clientCount];
    FaultPlan drawn = FaultPlan.draw(entropy.fork(3));
    world =
        new World(
            nodes.length,
            plan == null ? drawn : plan,
            entropy,
            trace,
            settings.protocol().workload(settings),
            settings.protocol().types(),
            parcel -> nodes[parcel.to()].arrive(parcel));
    world.workload.begin(entropy.fork(5));
    Clients names = new Clients(serverCount, clientCount);
    makeServers(settings, names);
    world.workload.meet(this::strike);
    int operationsEach = (LEAST_OPERATIONS + clientCount - 1) / clientCount;
    for (int node = serverCount; node < nodes.length; node++) {
      SimClient client = new SimClient(world, node, names, operationsEach);
      nodes[node] = client;
      clients.add(client);
    }
  }

  private void makeServers(ScenarioSettings settings, Clients names) {
    int count = settings.thresholds().servers();
    Entropy entropy = world.entropy.fork(4);
    ServerSet liars = draw(settings.liars(), count, entropy);
    Plot commonPlot = new Plot(entropy.nextLong());
    boolean collude = entropy.chance(0.5);
    world.setLiars(liars);
    List<LieKind> commonKinds = liars.isEmpty() ? List.of() : drawKinds(settings, entropy);
    for (ServerId id : ServerSet.firstN(count)) {
      if (!liars.contains(id)) {
        SimServer server = new SimServer(world, id, names);
        nodes[id.index()] = server;
        servers.add(server);
        continue;
      }
      List<LieKind> kinds = collude ? commonKinds : drawKinds(settings, entropy);
      Entropy own = entropy.fork(id.index());
      Plot plot = collude ? commonPlot : new Plot(own.nextLong());
      Lie lie = kinds.stream().map(kind -> kind.begin(own)).reduce(Lie::and).orElseThrow();
      LiarDesk desk = new LiarDesk(id, count, world.workload.forger(), own, plot);
      SimLiar liar = new SimLiar(world, id, names, lie, desk);
      liar.note("lies: " + kinds + (collude ? ", with the others" : ""));
      nodes[id.index()] = liar;
    }
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

  /** One kind of lie, or two at once. */
  private static List<LieKind> drawKinds(ScenarioSettings settings, Entropy entropy) {
    List<LieKind> all = settings.lieKinds().asList();
    LieKind first = all.get(entropy.nextInt(all.size()));
    LieKind second = all.get(entropy.nextInt(all.size()));
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
      new Upheavals(world, servers, clients, nodes.length).begin();
      world.events.after(world.plan.chaosNanos(), this::becomeCalm);
      untilFinished();
      settle();
      world.workload.atEnd();
    } catch (RuntimeException e) {
      Violation found = Violation.of("the simulation", e);
      violation = found;
      world.trace.note(
          world.events.nowNanos(), "check", () -> found.kind() + ": " + found.getMessage());
    }
    return new ScenarioResult(seed, world.stats, violation);
  }

  private void becomeCalm() {
    if (!clients.stream().allMatch(SimClient::isDoneWithChaos)) {
      world.events.after(MORE_CHAOS_NANOS, this::becomeCalm);
      return;
    }
    world.trace.note(world.events.nowNanos(), "net", () -> "all is well from now on");
    world.becomeCalm();
    servers.forEach(SimServer::start);
    clients.forEach(SimClient::becomeCalm);
  }

  private boolean isFinished() {
    for (SimClient client : clients) {
      if (!client.isFinished()) {
        return false;
      }
    }
    return true;
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
