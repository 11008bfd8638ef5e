package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Entropy;
import java.util.List;

/** What befalls several nodes at once while there is chaos: partitions, clogged links, deaths. */
final class Nemesis {
  private static final long LONGEST_NANOS = 400_000_000L;

  /** A run of minutes has about as many faults as one of seconds. */
  private static final long RARER_IF_LONG = 20;

  private final World world;
  private final Entropy entropy;
  private final List<SimServer> servers;
  private final List<SimClient> clients;
  private final int nodes;

  Nemesis(World world, List<SimServer> servers, List<SimClient> clients, int nodes) {
    this.world = world;
    this.entropy = world.entropy.fork(2);
    this.servers = servers;
    this.clients = clients;
    this.nodes = nodes;
  }

  void begin() {
    if (world.plan.nemesisNanos() > 0) {
      scheduleNext();
    }
  }

  private void scheduleNext() {
    long meanNanos = world.plan.nemesisNanos() * (world.hazards.isLong() ? RARER_IF_LONG : 1);
    world.events.after(1 + entropy.nextLong(2 * meanNanos), this::strike);
  }

  private void strike() {
    if (world.isCalm()) {
      return;
    }
    long forNanos = 1 + entropy.nextLong(LONGEST_NANOS);
    switch (entropy.nextInt(5)) {
      case 0 -> partition(forNanos, true);
      case 1 -> partition(forNanos, false);
      case 2 -> clog(forNanos);
      case 3 -> crashServer();
      default -> crashClient();
    }
    scheduleNext();
  }

  private void partition(long forNanos, boolean bothWays) {
    FaultKind kind = bothWays ? FaultKind.PARTITION : FaultKind.ONE_WAY;
    boolean[] inside = new boolean[nodes];
    for (int node = 0; node < nodes; node++) {
      inside[node] = entropy.chance(0.3);
    }
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        if (inside[from] != inside[to] && (bothWays || inside[from])) {
          world.network.cut(from, to, forNanos, kind);
        }
      }
    }
    world.trace.note(world.events.nowNanos(), "net", kind::meaning);
  }

  private void clog(long forNanos) {
    int client = nodes - 1 - entropy.nextInt(clients.size());
    int server = entropy.nextInt(nodes - clients.size());
    boolean toClient = entropy.chance(0.5);
    long delayNanos = 1 + entropy.nextLong(LONGEST_NANOS);
    world.network.clog(
        toClient ? server : client, toClient ? client : server, forNanos, delayNanos);
    world.trace.note(world.events.nowNanos(), "net", FaultKind.CLOG::meaning);
  }

  private void crashServer() {
    if (!servers.isEmpty()) {
      servers.get(entropy.nextInt(servers.size())).crash();
    }
  }

  private void crashClient() {
    if (world.plan.clientCrashes()) {
      clients.get(entropy.nextInt(clients.size())).crash();
    }
  }
}
