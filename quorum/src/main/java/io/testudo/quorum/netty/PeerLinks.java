package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Envelope;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Connections that this process opens to others when it has something to say to them, and closes
 * when it has said nothing for long: there are more peers than connections. What is sent to one who
 * cannot be reached is lost, and one who was lost is not dialled again at once. All on one loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class PeerLinks {
  /** So many at a time; for one more the one goes that was not used for the longest. */
  static final int MAX_LINKS = 512;

  /** Messages that wait for a connection to come about. */
  private static final int MAX_WAITING = 1_024;

  /** Addresses that could not be reached lately. */
  private static final int MAX_TROUBLES = 2_048;

  /** Hears what peers say. */
  interface Receiver {
    /** {@code member} is who that has proven to be; null where members share the keys for it. */
    void received(Endpoint from, @Nullable String member, Message message);
  }

  private final EventLoop loop;
  private final Dialing dialing;
  private final HostResolver resolver;
  private final LinkCounters counters;
  private final Receiver receiver;
  private final long idleNanos;
  private final Map<Endpoint, Connection> connections = new LinkedHashMap<>(16, 0.75f, true);

  /** Opened with credentials that were replaced since: they hear what comes, and say nothing. */
  private final List<Connection> retired = new ArrayList<>();

  private final Predicate<String> knows;
  private final Map<Endpoint, Trouble> troubles = BoundedMap.byUse(MAX_TROUBLES);
  private ClientCredentials credentials;
  private boolean closed;

  private static final class Trouble {
    final RedialDelay delay = new RedialDelay();
    long notBeforeNanos;
  }

  /**
   * Without connections at first.
   *
   * @param knows whether one may be a member that has proven who it is
   */
  PeerLinks(
      EventLoop loop,
      Dialing dialing,
      HostResolver resolver,
      ClientCredentials credentials,
      Predicate<String> knows,
      LinkCounters counters,
      long idleMillis,
      Receiver receiver) {
    this.loop = loop;
    this.dialing = dialing;
    this.resolver = resolver;
    this.credentials = credentials;
    this.knows = knows;
    this.counters = counters;
    this.receiver = receiver;
    this.idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis);
    loop.schedule(this::closeIdle, idleMillis, TimeUnit.MILLISECONDS);
  }

  /** Sends, or loses. */
  void send(Endpoint to, Message message) {
    if (closed) {
      return;
    }
    long nowNanos = System.nanoTime();
    Connection present = connections.get(to);
    if (present == null) {
      Trouble trouble = troubles.get(to);
      if (trouble != null && nowNanos - trouble.notBeforeNanos < 0) {
        return;
      }
      present = new Connection(to);
      connections.put(to, present);
      makeRoom();
      present.dial();
    }
    present.usedNanos = nowNanos;
    present.send(new Outgoing(new Envelope(0, message)));
  }

  /**
   * Shows these from now on. Connections that are there are used no more, and closed when what was
   * asked over them is answered, or should be; at once if no authority vouches any more for who is
   * there.
   */
  void use(ClientCredentials other) {
    credentials = other;
    retired.forEach(Connection::close);
    retired.clear();
    for (Connection connection : List.copyOf(connections.values())) {
      Link present = connection.link;
      if (present != null) {
        connections.remove(connection.to);
        connection.usedNanos = System.nanoTime();
        retired.add(connection);
        boolean unused = connection.endUnlessTrusted(present);
      }
    }
  }

  /** Ends connections to members that are known no longer. */
  void endUnknown() {
    List<Connection> all = new ArrayList<>(connections.values());
    all.addAll(retired);
    for (Connection connection : all) {
      if (connection.link != null) {
        boolean unused = connection.endIfUnknown(connection.link);
      }
    }
  }

  private void makeRoom() {
    if (connections.size() > MAX_LINKS) {
      Connection eldest = connections.values().iterator().next();
      connections.remove(eldest.to);
      eldest.close();
    }
  }

  private void closeIdle() {
    if (closed) {
      return;
    }
    long nowNanos = System.nanoTime();
    List<Connection> idle = new ArrayList<>();
    for (Connection connection : connections.values()) {
      if (nowNanos - connection.usedNanos > idleNanos) {
        idle.add(connection);
      }
    }
    for (Connection connection : idle) {
      connections.remove(connection.to);
      connection.close();
    }
    retired.removeIf(connection -> connection.closeIfIdleSince(nowNanos - idleNanos / 2));
    loop.schedule(this::closeIdle, idleNanos / 2, TimeUnit.NANOSECONDS);
  }

  int size() {
    return connections.size();
  }

  boolean isConnected(Endpoint to) {
    Connection connection = connections.get(to);
    return connection != null && connection.link != null;
  }

  /** As whom the one there has proven itself over the connection that is; else null. */
  @Nullable String memberAt(Endpoint to) {
    Connection connection = connections.get(to);
    return connection == null || connection.link == null ? null : connection.member;
  }

  /** The certificate that it has shown; null if there is no connection, or none was shown. */
  @Nullable X509Certificate shownAt(Endpoint to) {
    Connection connection = connections.get(to);
    return connection == null || connection.link == null
        ? null
        : TlsContexts.shown(connection.link.channel());
  }

  void close() {
    closed = true;
    List<Connection> all = List.copyOf(connections.values());
    connections.clear();
    all.forEach(Connection::close);
    retired.forEach(Connection::close);
    retired.clear();
  }

  /** One connection, from the first message for it to its end. */
  private final class Connection implements Link.Receiver, AddressRound.Taker {
    private final Endpoint to;
    private final AddressRound addresses = new AddressRound(loop, resolver);
    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private @Nullable Channel channel;
    private @Nullable Link link;

    /** As whom the other end has proven itself. */
    private @Nullable String member;

    private long establishedNanos;
    private long usedNanos;
    private boolean ended;

    Connection(Endpoint to) {
      this.to = to;
    }

    void send(Outgoing outgoing) {
      Link present = link;
      if (present != null) {
        present.send(outgoing);
      } else if (waiting.size() < MAX_WAITING) {
        waiting.add(outgoing);
      }
    }

    void dial() {
      addresses.begin(to, this);
    }

    @Override
    public void unknown(String why) {
      lost();
    }

    @Override
    public void found(InetSocketAddress target) {
      if (ended) {
        return;
      }
      if (!credentials.reaches(target)) {
        counters.count("out-of-reach", to.toString(), "open mode stays on this machine");
        next();
        return;
      }
      Channel dialled = dialing.connect(credentials, target, this, this::established).channel();
      channel = dialled;
      dialled.closeFuture().addListener(gone -> next());
    }

    /** A connection has ended, or could not be made: there may be another address. */
    private void next() {
      InetSocketAddress other = link == null && !ended ? addresses.following() : null;
      if (other == null) {
        lost();
      } else {
        found(other);
      }
    }

    boolean closeIfIdleSince(long nanos) {
      if (!ended && nanos - usedNanos > 0) {
        close();
      }
      return ended;
    }

    private void established(Link made) {
      try {
        member = credentials.answering(made.channel());
      } catch (SSLException e) {
        made.refuse(Refusals.kind(e), String.valueOf(e.getMessage()));
        return;
      }
      if (endUnlessTrusted(made) || endIfUnknown(made)) { // The first may have changed meanwhile.
        return;
      }
      link = made;
      establishedNanos = System.nanoTime();
      waiting.forEach(made::send);
      waiting.clear();
    }

    boolean endUnlessTrusted(Link present) {
      boolean isUntrusted = !credentials.trusts(present.channel());
      if (isUntrusted) {
        present.refuse(Refusals.UNTRUSTED, "no authority vouches for its certificate any more");
      }
      return isUntrusted;
    }

    boolean endIfUnknown(Link present) {
      boolean isUnknown = member != null && !knows.test(member);
      if (isUnknown) {
        present.refuse(Refusals.UNKNOWN_PRINCIPAL, "the ring does not know " + member);
      }
      return isUnknown;
    }

    /** It ended, or never came about. */
    private void lost() {
      if (ended) {
        return;
      }
      ended = true;
      if (!connections.remove(to, this)) {
        return; // Another has taken its place.
      }
      long nowNanos = System.nanoTime();
      Trouble trouble = troubles.computeIfAbsent(to, any -> new Trouble());
      long livedNanos = link == null ? 0 : nowNanos - establishedNanos;
      long delayMillis = trouble.delay.nextMillis(livedNanos, ThreadLocalRandom.current());
      trouble.notBeforeNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(delayMillis);
      link = null;
      waiting.clear();
    }

    void close() {
      ended = true;
      if (channel != null) {
        channel.close();
      }
    }

    @Override
    public void received(Link from, Envelope envelope) {
      if (from != link) {
        return; // It was refused, and had said more already.
      }
      usedNanos = System.nanoTime();
      receiver.received(to, member, envelope.message());
    }

    @Override
    public void closed(Link gone) {}

    /** What waits for one connection is bounded, and so are the connections. */
    @Override
    public boolean owe(int bytes) {
      return true;
    }

    @Override
    public void paid(long bytes) {}

    @Override
    public void failed(Link failed, Throwable cause) {
      failed.refuse(Refusals.kind(cause), String.valueOf(cause));
    }
  }
}
