package io.testudo.quorum.sim;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What befalls a run at moments that go together badly. A client has just counted what a server
 * says, and hardly any other's word; then it hears nothing more, and the server loses its disk and
 * is readmitted. That happens to one server after the other; when the last one counts again,
 * another begins to lie, and the client wakes to other servers than those that the rest have
 * reached meanwhile.
 *
 * <p>A swift one is over before anybody would have drawn a higher rank; a slow one takes minutes.
 */
final class Ordeal {
  private static final long SECOND = 1_000_000_000L;
  private static final long SHORT_SLEEP_NANOS = 60 * SECOND;
  private static final long LONGEST_SLEEP_NANOS = 300 * SECOND;
  private static final long LONGEST_CUT_NANOS = 25 * SECOND;
  private static final int MOST_LOSSES = 3;

  /** A server that is not needed is not restored; then nobody else begins to lie. */
  private static final long PATIENCE_NANOS = 60 * SECOND;

  /** Longer histories are not checked; nor is it waited for while so much is done without it. */
  private static final long MOST_OPERATIONS_WITHOUT = 1_000;

  /** How long each step of it takes at most, and how often is looked whether one is over. */
  private enum Pace {
    SWIFT(3 * SECOND, SECOND / 5, SECOND / 2, SECOND / 50),
    SLOW(6 * SECOND, 4 * SECOND, 4 * SECOND, SECOND / 5);

    final long watchNanos;
    final long downNanos;
    final long stepNanos;
    final long lookNanos;

    Pace(long watchNanos, long downNanos, long stepNanos, long lookNanos) {
      this.watchNanos = watchNanos;
      this.downNanos = downNanos;
      this.stepNanos = stepNanos;
      this.lookNanos = lookNanos;
    }
  }

  private final World world;
  private final Entropy entropy;
  private final List<SimServer> servers;
  private final List<SimClient> clients;
  private final boolean loses;
  private final @Nullable SimServer latecomer;
  private final BiConsumer<SimServer, List<StateRecord>> turn;
  private Pace pace = Pace.SLOW;
  private @Nullable SimClient watched;
  private @Nullable SimServer loser;
  private @Nullable SimServer away;
  private @Nullable SimServer awayFromAll;
  private List<StateRecord> oldCopy = List.of();
  private int roundsLeft;
  private boolean struck;
  private boolean isHeld;
  private boolean sleeps;
  private boolean clockStops;
  private int underWay;
  private long lostAtNanos;
  private long operationsAtLoss;
  private long wakesAtNanos;

  /**
   * Prepares the ordeal of a run.
   *
   * @param loses whether servers lose their disks
   * @param latecomer who begins to lie after that, if anybody does
   * @param turn makes a liar of it, which may go back to an old copy of its disk
   */
  Ordeal(
      World world,
      List<SimServer> servers,
      List<SimClient> clients,
      boolean loses,
      @Nullable SimServer latecomer,
      BiConsumer<SimServer, List<StateRecord>> turn) {
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
      roundsLeft = loses && entropy.chance(0.4) ? 1 + entropy.nextInt(MOST_LOSSES) : 1;
      forAWhile(entropy.nextLong(2 * SECOND), this::lieInWait);
    }
  }

  /** Whether nothing of it is under way any longer. */
  boolean isOver() {
    return roundsLeft == 0 && underWay == 0;
  }

  private void lieInWait() {
    List<SimClient> far = clients.stream().filter(SimClient::isFar).toList();
    List<SimClient> candidates = far.isEmpty() || entropy.chance(0.2) ? clients : far;
    SimClient client = candidates.get(entropy.nextInt(candidates.size()));
    List<SimServer> honest = servers.stream().filter(one -> one != latecomer).toList();
    SimServer server = honest.get(entropy.nextInt(honest.size()));
    watched = client;
    loser = server;
    struck = false;
    pace = loses && entropy.chance(0.7) ? Pace.SWIFT : Pace.SLOW;
    if (entropy.chance(0.8)) {
      for (SimServer other : servers) {
        if (other != server) {
          cut(client, other, pace.watchNanos);
        }
      }
    }
    if (pace == Pace.SWIFT) {
      client.setClockAhead();
      List<SimClient> others = clients.stream().filter(one -> one != client).toList();
      SimClient busy = others.get(entropy.nextInt(others.size()));
      boolean all = entropy.chance(0.3);
      others.stream().filter(one -> all || one == busy).forEach(one -> one.setRestless(true));
      if (entropy.chance(0.5)) {
        others.forEach(one -> cut(one, server, pace.watchNanos / 2));
      }
    }
    client.setRestless(true);
    world.onCounted(this::counted);
    forAWhile(pace.watchNanos, this::strike);
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
    roundsLeft--;
    client.setRestless(false);
    world.onCounted(null);
    oldCopy = latecomer == null ? List.of() : latecomer.copyOfDisk();
    clockStops = entropy.chance(0.8);
    if (pace == Pace.SWIFT) {
      sleeps = entropy.chance(0.5);
      isHeld = true;
      hold(client);
      clients.forEach(one -> reach(one, server));
    } else if (world.hazards.has(Hazard.LONG_SLEEP) || entropy.chance(0.7)) {
      long sleepNanos =
          SHORT_SLEEP_NANOS / 3
              + entropy.nextLong(entropy.chance(0.7) ? SHORT_SLEEP_NANOS : LONGEST_SLEEP_NANOS);
      SimNode sleeper = loses || entropy.chance(0.7) ? client : server;
      sleeper.sleep(sleepNanos, clockStops);
      wakesAtNanos = world.events.nowNanos() + sleepNanos;
      forAWhile(sleepNanos - 1, () -> wakeElsewhere(client));
    }
    if (loses) {
      lostAtNanos = world.events.nowNanos();
      operationsAtLoss = world.stats.operations();
      server.loseDisk(1 + entropy.nextLong(pace.downNanos));
      forAWhile(pace.lookNanos, () -> awaitRestored(client, server));
      if (pace == Pace.SLOW && entropy.chance(0.5)) {
        cutOne();
      }
    }
  }

  /** Until it is let go, a client hears nothing, be it that it sleeps or that nothing comes. */
  private void hold(SimClient client) {
    if (!isHeld) {
      return;
    }
    long untilLaterNanos = 2 * pace.lookNanos;
    if (sleeps) {
      client.sleep(untilLaterNanos, clockStops);
    } else {
      servers.forEach(server -> cut(client, server, untilLaterNanos));
    }
    SimServer unreached = awayFromAll;
    if (unreached != null) {
      clients.forEach(one -> cut(one, unreached, untilLaterNanos));
    }
    forAWhile(pace.lookNanos, () -> hold(client));
  }

  private void letGo(SimClient client) {
    isHeld = false;
    awayFromAll = null;
    clients.forEach(one -> one.setRestless(false));
    wakeElsewhere(client);
  }

  /** Whom the sleeper reaches when it wakes is not whom others have reached meanwhile. */
  private void wakeElsewhere(SimClient client) {
    SimServer unreached = another();
    if (unreached != null && entropy.chance(0.8)) {
      cut(client, unreached, pace.stepNanos);
    }
    forAWhile(pace.stepNanos, () -> {});
  }

  /** A server that neither loses its disk nor lies later, and that was not cut off last. */
  private @Nullable SimServer another() {
    List<SimServer> others = new ArrayList<>(servers);
    others.remove(loser);
    others.remove(latecomer);
    if (others.size() > 1) {
      others.remove(away);
    }
    away = others.isEmpty() ? null : others.get(entropy.nextInt(others.size()));
    return away;
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

  private void awaitRestored(SimClient client, SimServer server) {
    server.hearOperator();
    if (server.isRestored()) {
      meanwhile();
      forAWhile(1 + entropy.nextLong(pace.stepNanos), () -> goOn(client));
    } else if (world.events.nowNanos() - lostAtNanos < PATIENCE_NANOS
        && world.stats.operations() - operationsAtLoss < MOST_OPERATIONS_WITHOUT) {
      forAWhile(pace.lookNanos, () -> awaitRestored(client, server));
    } else {
      roundsLeft = 0;
      letGo(client);
    }
  }

  /** While the client hears nothing, one server is out of reach of all. */
  private void meanwhile() {
    SimServer unreached = another();
    if (unreached == null || entropy.chance(0.2)) {
      return;
    }
    long untilNanos = wakesAtNanos - world.events.nowNanos();
    if (pace == Pace.SWIFT) {
      awayFromAll = unreached;
    } else if (untilNanos > 0) {
      clients.forEach(one -> cut(one, unreached, untilNanos));
    }
  }

  /** The server counts again: another may be faulty now, and the client may wake. */
  private void goOn(SimClient client) {
    SimServer liar = latecomer;
    if (roundsLeft > 0) {
      forAWhile(entropy.nextLong(2 * SECOND), this::lieInWait);
    } else if (liar != null) {
      world.stats.fault(FaultKind.LATE_LIAR);
      turn.accept(liar, oldCopy);
      forAWhile(pace.stepNanos, () -> {});
    }
    if (isHeld) {
      letGo(client);
    }
  }

  /** One server after the other is out of reach of some clients, or of all, for a while. */
  private void cutOne() {
    if (world.isCalm() || isOver()) {
      return;
    }
    SimServer unreached = another();
    if (unreached != null) {
      long nanos = 1 + entropy.nextLong(LONGEST_CUT_NANOS);
      boolean all = entropy.chance(0.5);
      for (SimClient client : clients) {
        if (all || entropy.chance(0.5)) {
          cut(client, unreached, nanos);
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

  private void reach(SimClient client, SimServer server) {
    if (client != watched) {
      world.network.cut(client.index, server.index, 0, FaultKind.PARTITION);
      world.network.cut(server.index, client.index, 0, FaultKind.PARTITION);
    }
  }
}
