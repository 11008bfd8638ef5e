package io.testudo.quorum.ping;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The server half of the ping. It counts its own starts and remembers what clients tell it of the
 * other servers; both survive a restart, and the runtime makes them durable before an answer speaks
 * of them.
 */
public final class PingServer extends Machine<ClientId> {
  /** While it is asked, it counts on so often, by more than a start does. */
  static final long COUNTS_ON_NANOS = 600_000_000_000L;

  private final ServerId self;
  private final LongSupplier quietMillis;
  private long incarnation;
  private Incarnations witnessed;
  private long countedNanos;

  /** One of a server that takes part in everything from its start on. */
  public PingServer(ServerId self, int servers) {
    this(self, servers, () -> 0);
  }

  /**
   * Makes a server half.
   *
   * @param quietMillis for how long yet this server keeps out of something after its start
   */
  public PingServer(ServerId self, int servers, LongSupplier quietMillis) {
    this.self = self;
    this.quietMillis = quietMillis;
    this.witnessed = Incarnations.none(servers);
    onMessage(Ping.class, this::onPing);
    onMessage(Pardon.class, this::onPardon);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    for (StateRecord record : recovered) {
      if (record instanceof Incarnated past) {
        incarnation = Math.max(incarnation, past.incarnation());
      } else if (record instanceof Witnessed told) {
        witnessed = witnessed.with(told.server(), told.incarnation());
      }
    }
    incarnation++;
    countedNanos = now().nanos();
    persist(new Incarnated(incarnation));
  }

  /**
   * A copy of the disk that was made while this server ran, and that is put in its place later,
   * would begin with the next number, as if nothing had been forgotten. So the number goes on while
   * the server runs, too: the copy then begins below what clients have heard.
   */
  private void countOn() {
    if (now().nanos() - countedNanos >= COUNTS_ON_NANOS) {
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
    send(from, new Pong(ping.nonce(), self, incarnation, quiet, witnessed));
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
    state.add(new Incarnated(incarnation));
    for (int index = 0; index < witnessed.servers(); index++) {
      ServerId server = new ServerId(index);
      if (witnessed.of(server) > 0) {
        state.add(new Witnessed(server, witnessed.of(server)));
      }
    }
    return state;
  }

  /** How often this server has started, this start included. */
  public long incarnation() {
    return incarnation;
  }
}
