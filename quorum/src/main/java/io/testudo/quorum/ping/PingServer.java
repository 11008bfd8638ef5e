package io.testudo.quorum.ping;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The server machine of the ping. It counts its own starts and remembers what clients tell it of
 * the other servers; both survive a restart, and the runtime makes them durable before an answer
 * speaks of them.
 */
public final class PingServer extends Machine<ClientId> {
  private final ServerId self;
  private final LongSupplier quietMillis;
  private final Counting counting;

  /** Of the last starts, the latest at the end. */
  private final List<Leap> leaps = new ArrayList<>();

  private long incarnation;
  private Incarnations witnessed;
  private long countedNanos;

  /** One of a server that takes part in everything from its start on. */
  public PingServer(ServerId self, int servers) {
    this(self, servers, () -> 0, Counting.STEADY);
  }

  /**
   * Makes a server machine.
   *
   * @param quietMillis for how long yet this server keeps out of something after its start
   * @param counting how its number goes up
   */
  public PingServer(ServerId self, int servers, LongSupplier quietMillis, Counting counting) {
    this.self = self;
    this.quietMillis = quietMillis;
    this.counting = counting;
    this.witnessed = Incarnations.none(servers);
    onMessage(Ping.class, this::onPing);
    onMessage(Pardon.class, this::onPardon);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    for (StateRecord record : recovered) {
      if (record instanceof Incarnated past) {
        incarnation = Math.max(incarnation, past.incarnation());
        if (past.leaptFrom() > 0) {
          keep(new Leap(past.leaptFrom(), past.incarnation()));
        }
      } else if (record instanceof Witnessed told) {
        witnessed = witnessed.with(told.server(), told.incarnation());
      }
    }
    long found = incarnation;
    incarnation += counting.leap().getAsLong();
    countedNanos = now().nanos();
    boolean leapt = found > 0 && incarnation > found + 1;
    if (leapt) {
      keep(new Leap(found, incarnation));
    }
    persist(new Incarnated(incarnation, leapt ? found : 0));
  }

  private void keep(Leap leap) {
    leaps.add(leap);
    if (leaps.size() > Pong.MAX_LEAPS) {
      leaps.remove(0);
    }
  }

  /**
   * A copy of the disk that was made while this server ran, and that is put in its place later,
   * would go on as if nothing had been forgotten. So the number goes on while the server runs, too:
   * the copy then begins below what clients have heard, or leaps over it.
   */
  private void countOn() {
    if (now().nanos() - countedNanos >= counting.onNanos()) {
      incarnation += 2;
      countedNanos = now().nanos();
      persist(new Incarnated(incarnation));
    }
  }

  private void onPing(ClientId from, Ping ping) {
    if (ping.known().servers() != witnessed.servers()) {
      return; // A client of another cluster: nothing it says or asks means anything here.
    }
    countOn();
    for (int index = 0; index < witnessed.servers(); index++) {
      ServerId server = new ServerId(index);
      if (witness(server, ping.known().of(server))) {
        persist(new Witnessed(server, witnessed.of(server)));
      }
    }
    long quiet = Math.min(quietMillis.getAsLong(), Pong.MAX_QUIET_MILLIS);
    ImmutableList<Leap> told = ImmutableList.copyOf(leaps);
    send(from, new Pong(ping.nonce(), self, incarnation, quiet, told, witnessed));
  }

  private void onPardon(ClientId from, Pardon pardon) {
    if (pardon.server().index() >= witnessed.servers()) {
      return; // A client of another cluster.
    }
    if (witnessed.of(pardon.server()) > 0) {
      witnessed = witnessed.with(pardon.server(), 0);
      persist(new Witnessed(pardon.server(), 0));
    }
    send(from, new Pong(pardon.nonce(), self, incarnation, witnessed));
  }

  private boolean witness(ServerId server, long told) {
    boolean isNews = told > witnessed.of(server);
    if (isNews) {
      witnessed = witnessed.with(server, told);
    }
    return isNews;
  }

  @Override
  public List<StateRecord> snapshot() {
    List<StateRecord> state = new ArrayList<>();
    leaps.forEach(leap -> state.add(new Incarnated(leap.to(), leap.from())));
    state.add(new Incarnated(incarnation));
    for (int index = 0; index < witnessed.servers(); index++) {
      ServerId server = new ServerId(index);
      if (witnessed.of(server) > 0) {
        state.add(new Witnessed(server, witnessed.of(server)));
      }
    }
    return state;
  }

  /** Goes up with each start, and while this server is asked. */
  public long incarnation() {
    return incarnation;
  }
}
