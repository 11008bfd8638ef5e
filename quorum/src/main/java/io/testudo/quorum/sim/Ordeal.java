package io.testudo.quorum.sim;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What takes minutes: a node falls asleep in the middle of something, a server loses its disk and
 * is let in again, another begins to lie when that one counts again, and all the while servers are
 * out of reach of some clients, one after the other. These befall a run at moments that go together
 * badly: who sleeps has just counted what the server said that forgets, and hardly any other's
 * word.
 */
final class Ordeal {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_WATCH_NANOS = 6 * SECOND;
  private static final long SHORT_SLEEP_NANOS = 60 * SECOND;
  private static final long LONGEST_SLEEP_NANOS = 300 * SECOND;
  private static final long LONGEST_DOWN_NANOS = 4 * SECOND;
  private static final long LONGEST_CUT_NANOS = 25 * SECOND;

  /** A server that is not needed is not restored; then nobody else begins to lie. */
  private static final long PATIENCE_NANOS = 60 * SECOND;

  private static final long LOOK_NANOS = SECOND / 5;

  private final World world;
  private final Entropy entropy;
  private final List<SimServer> servers;
  private final List<SimClient> clients;
  private final boolean loses;
  private final @Nullable SimServer latecomer;
  private final Consumer<SimServer> turn;
  private @Nullable SimClient watched;
  private @Nullable SimServer loser;
  private boolean begun;
  private boolean struck;
  private int underWay;
  private long lostAtNanos;
  private long wakesAtNanos;
  private @Nullable SimServer lastCut;

  /**
   * Prepares the ordeal of a run.
   *
   * @param loses whether a server loses its disk
   * @param latecomer who begins to lie after that, if anybody does
   * @param turn makes a liar of it
   */
  Ordeal(
      World world,
      List<SimServer> servers,
      List<SimClient> clients,
      boolean loses,
      @Nullable SimServer latecomer,
      Consumer<SimServer> turn) {
    this.world = world;
    this.entropy = world.hazards.entropy.fork(1);
    this.servers = servers;
    this.clients = clients;
    this.loses = loses && servers.size() > (latecomer == null ? 0 : 1);
    this.latecomer = latecomer;
    this.turn = turn;
  }

  void begin() {
    if (world.hazards.isLong() && !servers.isEmpty()) {
      begun = true;
      world.onCounted(this::counted);
      world.events.after(entropy.nextLong(2 * SECOND), this::lieInWait);
    }
  }

  /** Whether nothing of it is under way any longer. */
  boolean isOver() {
    return !begun || (struck && underWay == 0);
  }

  private void lieInWait() {
    List<SimClient> far = clients.stream().filter(SimClient::isFar).toList();
    List<SimClient> candidates = far.isEmpty() || entropy.chance(0.2) ? clients : far;
    SimClient client = candidates.get(entropy.nextInt(candidates.size()));
    SimServer server = servers.get(entropy.nextInt(servers.size()));
    while (server == latecomer) {
      server = servers.get(entropy.nextInt(servers.size()));
    }
    watched = client;
    loser = server;
    if (entropy.chance(0.7)) {
      for (SimServer other : servers) {
        if (other != server) {
          cut(client, other, LONGEST_WATCH_NANOS);
        }
      }
    }
    client.setRestless(true);
    world.events.after(LONGEST_WATCH_NANOS, this::strike);
  }

  private void counted(SimClient client, ServerId from) {
    if (client == watched && loser != null && from.equals(loser.id()) && entropy.chance(0.7)) {
      strike();
    }
  }

  private void strike() {
    SimClient client = watched;
    SimServer server = loser;
    if (struck || client == null || server == null) {
      return;
    }
    struck = true;
    client.setRestless(false);
    world.onCounted(null);
    long sleepNanos =
        SHORT_SLEEP_NANOS / 3
            + entropy.nextLong(entropy.chance(0.7) ? SHORT_SLEEP_NANOS : LONGEST_SLEEP_NANOS);
    if (world.hazards.has(Hazard.LONG_SLEEP) || entropy.chance(0.7)) {
      SimNode sleeper = loses || entropy.chance(0.7) ? client : server;
      sleeper.sleep(sleepNanos, entropy.chance(0.8));
      wakesAtNanos = world.events.nowNanos() + sleepNanos;
      forAWhile(sleepNanos - 1, () -> wakeElsewhere(client));
    }
    if (loses) {
      lostAtNanos = world.events.nowNanos();
      server.loseDisk(1 + entropy.nextLong(LONGEST_DOWN_NANOS));
      forAWhile(LOOK_NANOS, () -> awaitRestored(server));
      if (entropy.chance(0.5)) {
        cutOne();
      }
    }
  }

  /** Whom the sleeper reaches when it wakes is not whom others have reached meanwhile. */
  private void wakeElsewhere(SimClient client) {
    SimServer away = another();
    if (away != null && entropy.chance(0.7)) {
      cut(client, away, LONGEST_DOWN_NANOS);
    }
    forAWhile(LONGEST_DOWN_NANOS, () -> {});
  }

  /** A server that neither loses its disk nor lies later, and that was not cut off last. */
  private @Nullable SimServer another() {
    List<SimServer> others = new ArrayList<>(servers);
    others.remove(loser);
    others.remove(latecomer);
    if (others.size() > 1) {
      others.remove(lastCut);
    }
    lastCut = others.isEmpty() ? null : others.get(entropy.nextInt(others.size()));
    return lastCut;
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

  private void awaitRestored(SimServer server) {
    server.hearOperator();
    if (server.isRestored()) {
      SimServer away = another();
      long untilNanos = wakesAtNanos - world.events.nowNanos();
      if (away != null && untilNanos > 0 && entropy.chance(0.7)) {
        clients.forEach(client -> cut(client, away, untilNanos));
      }
      forAWhile(entropy.nextLong(LONGEST_DOWN_NANOS), this::turnOne);
    } else if (world.events.nowNanos() - lostAtNanos < PATIENCE_NANOS) {
      forAWhile(LOOK_NANOS, () -> awaitRestored(server));
    }
  }

  private void turnOne() {
    if (latecomer != null) {
      world.stats.fault(FaultKind.LATE_LIAR);
      turn.accept(latecomer);
      forAWhile(LONGEST_DOWN_NANOS, () -> {});
    }
  }

  /** One server after the other is out of reach of some clients, or of all, for a while. */
  private void cutOne() {
    if (world.isCalm() || isOver()) {
      return;
    }
    SimServer away = another();
    if (away != null) {
      long nanos = 1 + entropy.nextLong(LONGEST_CUT_NANOS);
      boolean all = entropy.chance(0.5);
      for (SimClient client : clients) {
        if (all || entropy.chance(0.5)) {
          cut(client, away, nanos);
        }
      }
    }
    world.events.after(1 + entropy.nextLong(LONGEST_CUT_NANOS), this::cutOne);
  }

  private void cut(SimClient client, SimServer server, long nanos) {
    world.network.cut(client.index, server.index, nanos, FaultKind.PARTITION);
    world.network.cut(server.index, client.index, nanos, FaultKind.PARTITION);
    world.trace.note(
        world.events.nowNanos(), "net", () -> client + " and " + server + " are cut off");
  }
}
