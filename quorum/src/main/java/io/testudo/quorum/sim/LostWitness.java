package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was achieved rests on those servers that know of it. Here these are as few as can be, and
 * fewer later: a client achieves something while one server is out of its reach, and is gone for a
 * while; one of the servers that know of it loses its disk and is readmitted; then another begins
 * to lie, those that are left are out of reach, and new clients come that know of nothing. At no
 * time is more than one of them faulty.
 */
final class LostWitness {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_WATCH_NANOS = 6 * SECOND;
  private static final long SHORTEST_SLEEP_NANOS = 20 * SECOND;
  private static final long LONGEST_DOWN_NANOS = 4 * SECOND;
  private static final long PATIENCE_NANOS = 60 * SECOND;
  private static final long LOOK_NANOS = SECOND / 10;

  private final World world;
  private final Entropy entropy;
  private final List<SimServer> servers;
  private final List<SimClient> clients;
  private final SimServer latecomer;
  private final Consumer<SimServer> turn;
  private @Nullable SimClient watched;
  private @Nullable SimServer unaware;
  private boolean begun;
  private boolean struck;
  private int underWay;
  private long lostAtNanos;

  /**
   * Prepares it.
   *
   * @param latecomer who begins to lie
   * @param turn makes a liar of it
   */
  LostWitness(
      World world,
      List<SimServer> servers,
      List<SimClient> clients,
      SimServer latecomer,
      Consumer<SimServer> turn) {
    this.world = world;
    this.entropy = world.hazards.entropy.fork(2);
    this.servers = servers;
    this.clients = clients;
    this.latecomer = latecomer;
    this.turn = turn;
  }

  void begin() {
    begun = true;
    world.onAchieved(this::achieved);
    world.events.after(entropy.nextLong(2 * SECOND), this::lieInWait);
  }

  /** Whether nothing of it is under way any longer. */
  boolean isOver() {
    return !begun || (struck && underWay == 0);
  }

  private void lieInWait() {
    List<SimClient> far = clients.stream().filter(SimClient::isFar).toList();
    List<SimClient> candidates = far.isEmpty() || entropy.chance(0.2) ? clients : far;
    SimClient client = candidates.get(entropy.nextInt(candidates.size()));
    SimServer server = another();
    watched = client;
    unaware = server;
    cut(client, server, LONGEST_WATCH_NANOS);
    client.setRestless(true);
    world.events.after(LONGEST_WATCH_NANOS, this::strike);
  }

  /** Neither of those two. */
  private SimServer another() {
    List<SimServer> others = new ArrayList<>(servers);
    others.remove(latecomer);
    others.remove(unaware);
    return others.get(entropy.nextInt(others.size()));
  }

  private void achieved(SimClient client) {
    if (client == watched && entropy.chance(0.7)) {
      strike();
    }
  }

  private void strike() {
    SimClient client = watched;
    if (struck || client == null) {
      return;
    }
    struck = true;
    client.setRestless(false);
    client.sleep(SHORTEST_SLEEP_NANOS + entropy.nextLong(SHORTEST_SLEEP_NANOS), true);
    SimServer server = another();
    lostAtNanos = world.events.nowNanos();
    server.loseDisk(1 + entropy.nextLong(LONGEST_DOWN_NANOS));
    forAWhile(LOOK_NANOS, () -> awaitRestored(server));
  }

  private void awaitRestored(SimServer server) {
    server.hearOperator();
    if (server.isRestored()) {
      forAWhile(entropy.nextLong(LONGEST_DOWN_NANOS), () -> betray(server));
    } else if (world.events.nowNanos() - lostAtNanos < PATIENCE_NANOS) {
      forAWhile(LOOK_NANOS, () -> awaitRestored(server));
    }
  }

  /** Only one that has lost its disk, one that lies and one that was away are left to be asked. */
  private void betray(SimServer lost) {
    world.stats.fault(FaultKind.LATE_LIAR);
    turn.accept(latecomer);
    for (SimClient client : clients) {
      for (SimServer server : servers) {
        if (server != lost && server != unaware) {
          cut(client, server, LONGEST_DOWN_NANOS);
        }
      }
      if (client != watched) {
        if (entropy.chance(0.7)) {
          client.crash();
        }
        client.setRestless(true);
        forAWhile(LONGEST_DOWN_NANOS, () -> client.setRestless(false));
      }
    }
  }

  private void forAWhile(long nanos, Runnable then) {
    underWay++;
    world.events.after(
        nanos,
        () -> {
          underWay--;
          then.run();
        });
  }

  private void cut(SimClient client, SimServer server, long nanos) {
    world.network.cut(client.index, server.index, nanos, FaultKind.PARTITION);
    world.network.cut(server.index, client.index, nanos, FaultKind.PARTITION);
    world.trace.note(
        world.events.nowNanos(), "net", () -> client + " and " + server + " are cut off");
  }
}
