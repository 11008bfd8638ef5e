package io.testudo.quorum.netty;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.netty.channel.EventLoop;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.GatewayTypes;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process among equals: it dials others when it has something to say to them, and takes
 * connections, unless it is a client beside them. To who dials them they all are one server, {@link
 * #SHARED}: with TLS each shows besides which member it is, with hmac they share that server's
 * keys. Everything happens on one loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
public final class NettyPeer implements AutoCloseable {
  /** As whom all take connections. */
  public static final ServerId SHARED = new ServerId(0);

  /** Connections that carried nothing for so long are closed by the one who opened them. */
  private static final long IDLE_MILLIS = 30_000;

  /** Takes what comes, on the loop. */
  public interface Mail {
    /**
     * From one who has opened a connection.
     *
     * @param from as the connection has proven it
     */
    void accepted(ClientId from, Message message);

    /**
     * From one whom this process has dialled.
     *
     * @param member as whom it has proven itself; null where members share the keys for that
     */
    void dialled(Endpoint from, @Nullable String member, Message message);
  }

  private final EventLoop loop;
  private final @Nullable ClientLoops ownLoops;
  private final String principal;
  private final long session;
  private final LinkCounters counters = new LinkCounters();
  private final PeerLinks links;
  private final @Nullable NettyServer server;
  private volatile @Nullable Mail mail;
  private volatile @Nullable Certification certification;

  private NettyPeer(
      EventLoop loop,
      @Nullable ClientLoops ownLoops,
      HostResolver resolver,
      ClientCredentials credentials,
      LinkLimits limits,
      WireTypes types,
      Predicate<String> knows,
      @Nullable NettyServer server) {
    this.loop = loop;
    this.ownLoops = ownLoops;
    this.principal = credentials.principal();
    this.certification = credentials.certification();
    this.session = ClientCredentials.newSession();
    this.server = server;
    FrameCodec codec = new FrameCodec(types.and(GatewayTypes.ALL), limits.frames());
    Dialing dialing = new Dialing(loop, SHARED, session, limits, codec, counters);
    this.links =
        new PeerLinks(
            loop,
            dialing,
            resolver,
            credentials.towardsMembers(),
            knows,
            counters,
            IDLE_MILLIS,
            this::receivedDialled);
  }

  /**
   * One that takes connections after {@link #bind}, and dials others.
   *
   * @param gate who may say what to it; whom that does not know it turns away from when it dials
   */
  public static NettyPeer listening(
      ServerLoops loops,
      MemberCredentials own,
      Gate gate,
      HostResolver resolver,
      LinkLimits limits,
      WireTypes types) {
    NettyServer server = new NettyServer(loops, own.accepting(), gate, limits, types);
    NettyPeer peer =
        new NettyPeer(
            loops.group().next(),
            null,
            resolver,
            own.dialling(),
            limits,
            types,
            gate::knows,
            server);
    server.attend(peer.new Door());
    return peer;
  }

  /**
   * One that only dials.
   *
   * @param loops that others use, too; null for one of its own
   */
  public static NettyPeer beside(
      @Nullable ClientLoops loops,
      HostResolver resolver,
      ClientCredentials own,
      LinkLimits limits,
      WireTypes types) {
    ClientLoops started = loops == null ? ClientLoops.start(1) : null;
    ClientLoops used = started != null ? started : loops;
    if (used == null) {
      throw new IllegalStateException("there are loops, of others or of its own");
    }
    return new NettyPeer(
        used.group().next(), started, resolver, own, limits, types, any -> true, null);
  }

  /** Who takes what comes; to be called before anything can. */
  public void deliverTo(Mail taker) {
    mail = taker;
  }

  private void receivedDialled(Endpoint from, @Nullable String member, Message message) {
    Mail taker = mail;
    if (taker != null) {
      taker.dialled(from, member, message);
    }
  }

  /** Takes what others say who have connected. */
  private final class Door implements Attendant {
    @Override
    public String name() {
      return "NettyPeer";
    }

    @Override
    public boolean handles(Message message) {
      return true;
    }

    @Override
    public void receive(ClientId from, Message message) {
      boolean unused =
          ClientMachine.onLoop(
              loop,
              () -> {
                Mail taker = mail;
                if (taker != null) {
                  taker.accepted(from, message);
                }
              });
    }

    @Override
    public void stop() {}

    @Override
    public void stopSoon() {}

    @Override
    public void prove(Runnable then) {
      loop.execute(then);
    }
  }

  private NettyServer server() {
    checkState(server != null, "a client beside others takes no connections");
    return server;
  }

  /** Begins to take connections; port 0 takes a free one. */
  public void bind(InetSocketAddress address) throws BindException {
    server().bind(address);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server().address();
  }

  public String principal() {
    return principal;
  }

  /** What tells this start of the process from all others. */
  public long session() {
    return session;
  }

  /** What was refused of those it has dialled, and how often. */
  public LinkCounters counters() {
    return counters;
  }

  /** The same of those who have connected. */
  public LinkCounters doorCounters() {
    return server().counters();
  }

  /** Connections that others have opened. */
  public int accepted() {
    return server().connections();
  }

  /** Connections that it has opened, or is about to. */
  public int dialled() {
    return await(links::size);
  }

  /** Says something to one who has connected; false if it is gone. On the loop. */
  public boolean answer(ClientId to, Message message) {
    return server().send(to, message);
  }

  /** Says something to whoever listens there. On the loop. */
  public void dial(Endpoint to, Message message) {
    links.send(to, message);
  }

  /** Whether it has dialled that one, and both ends know each other. On the loop. */
  public boolean isConnected(Endpoint to) {
    return links.isConnected(to);
  }

  /** By which certificate it shows who it is, and whose it takes; null if keys are shared. */
  public @Nullable Certification certification() {
    return certification;
  }

  /** As whom the one has proven itself to whom it is connected there; else null. On the loop. */
  public @Nullable String memberAt(Endpoint place) {
    return links.memberAt(place);
  }

  /** The certificate that the one has shown whom it has dialled there. On the loop. */
  public @Nullable X509Certificate shownAt(Endpoint place) {
    return links.shownAt(place);
  }

  /** The certificate that one has shown who has connected. */
  public @Nullable X509Certificate shownBy(ClientId other) {
    return server == null ? null : server.shownBy(other);
  }

  /**
   * Carries a machine. It begins when it is first called, or told to by {@link
   * ClientMachine#begin}.
   *
   * @param whenFaulted hears on whose message a machine has thrown; a fresh one has taken its place
   * @param whenStopped hears on the loop that it has ended
   */
  public <P> PeerMachine<P> carry(
      Supplier<Machine<P>> machines,
      Transport<P, Message> transport,
      Consumer<Event> events,
      Consumer<P> whenFaulted,
      Runnable whenStopped) {
    return PeerMachine.restorable(machines, loop, transport, events, whenFaulted, whenStopped);
  }

  /** A machine threw on what this principal said: it is not heard for a while. */
  public void punish(String faulty) {
    if (server != null) {
      server.faulted(faulty);
    }
  }

  /** Shows these to others from now on; they are of the same principal. */
  public void use(ClientCredentials own) {
    checkArgument(own.principal().equals(principal), "a peer keeps its principal");
    certification = own.certification();
    execute(() -> links.use(own.towardsMembers()));
  }

  /** The same of a member, which shows them to who connects, too. */
  public void use(MemberCredentials own) {
    use(own.dialling());
    server().use(own.accepting());
  }

  /** Ends connections of principals that the rights know no longer. */
  public void rightsChanged() {
    server().rightsChanged();
    execute(links::endUnknown);
  }

  public Moment now() {
    return new Moment(SystemTicker.INSTANCE.nanos(), SystemTicker.INSTANCE.wallMillis());
  }

  /** Runs something on the loop, soon; not if that has ended. */
  public void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // Nothing is left to be done there.
    }
  }

  /** Runs something on the loop after a time. */
  public void later(long delayNanos, Runnable task) {
    try {
      loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Nothing is left to be done there.
    }
  }

  /** Has the loop find something out, and waits for it. */
  public <T> T await(Callable<T> task) {
    return Loops.await(loop, task);
  }

  /** Ends its connections; machines that it carries are ended before. */
  @Override
  public void close() {
    mail = null;
    if (server != null) {
      server.close();
    }
    try {
      boolean unused =
          Loops.await(
              loop,
              () -> {
                links.close();
                return true;
              });
    } catch (RejectedExecutionException e) {
      return; // The loop has ended, and its connections with it.
    }
    if (ownLoops != null) {
      ownLoops.close();
    }
  }
}
