package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.Goodbye;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.MemberCredentials;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.netty.PeerMachine;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node of a ring on sockets: a member, or a client beside the ring. It keeps nothing on disk;
 * one that starts again has no memory, which the protocols tolerate within their bounds.
 *
 * <p>A message on which the machine throws costs the node its memory: a fresh machine joins anew,
 * and a client that said it is not heard for a while.
 */
public final class RingNode implements AutoCloseable {
  private static final long ASK_AGAIN_NANOS = Duration.ofMillis(300).toNanos();

  /** Where some lie, they may be all that a client still hears of, but for those it was given. */
  private static final long LOOK_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

  /** A client that has heard of no member for so long asks where it asked at first. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(3).toNanos();

  private final NettyPeer peer;
  private final RingProtocol protocol;
  private final RingMutex mutex;
  private final boolean member;
  private final NodeId self;
  private final RingCertificates certificates;
  private final RingPost post;
  private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> whenForgotten = new CopyOnWriteArrayList<>();
  private final List<Consumer<Message>> asides = new CopyOnWriteArrayList<>();
  private final CompletableFuture<NodeId> joined = new CompletableFuture<>();
  private final Runnable whenBroken;

  /** There once it has begun: a client's when it is made, a member's when it knows another. */
  private volatile @Nullable PeerMachine<NodeId> machine;

  private volatile boolean closed;

  private volatile ImmutableList<Endpoint> entrances;

  /** What follows is touched on the loop only, from the start of the machine on. */
  private @Nullable DhtNode node;

  /** Members through which it joins; empty for the one that founds the ring. */
  private ImmutableList<NodeId> contacts = ImmutableList.of();

  private @Nullable String speaker;
  private long begunNanos;
  private long lookedNanos;
  private int restores;

  private RingNode(
      NettyPeer peer,
      RingProtocol protocol,
      RingMutex mutex,
      boolean member,
      List<Endpoint> entrances,
      Runnable whenBroken) {
    this.peer = peer;
    this.protocol = protocol;
    this.mutex = mutex;
    this.member = member;
    this.entrances = ImmutableList.copyOf(entrances);
    this.self =
        member
            ? NodeNames.member(peer.principal())
            : NodeNames.client(peer.principal(), peer.session());
    this.whenBroken = whenBroken;
    this.certificates = new RingCertificates(self, peer::certification);
    this.post = new RingPost(peer, self, member, certificates, new Inbox());
    peer.deliverTo(post);
  }

  /**
   * Starts a member.
   *
   * @param own by which it shows who it is
   * @param gate who may say what to it
   * @param listen where it takes connections; port 0 for a free one
   * @param advertised where others reach it, if that differs
   * @param entrances members through which it joins; none to found a ring
   * @param whenBroken hears that our own code failed, and that the node has ended
   */
  public static RingNode member(
      ServerLoops loops,
      MemberCredentials own,
      Gate gate,
      LinkLimits limits,
      RingProtocol protocol,
      InetSocketAddress listen,
      @Nullable Endpoint advertised,
      List<Endpoint> entrances,
      Runnable whenBroken)
      throws BindException {
    HostResolver system = HostResolver.ofSystem();
    return member(
        loops,
        own,
        gate,
        system,
        limits,
        protocol,
        RingMutex.HONEST,
        listen,
        advertised,
        entrances,
        whenBroken);
  }

  /** The same; a resolver says where others are, and it may have a mutex of its own. */
  static RingNode member(
      ServerLoops loops,
      MemberCredentials own,
      Gate gate,
      HostResolver resolver,
      LinkLimits limits,
      RingProtocol protocol,
      RingMutex mutex,
      InetSocketAddress listen,
      @Nullable Endpoint advertised,
      List<Endpoint> entrances,
      Runnable whenBroken)
      throws BindException {
    NettyPeer peer = NettyPeer.listening(loops, own, gate, resolver, limits, RingTypes.ALL);
    RingNode node = new RingNode(peer, protocol, mutex, true, entrances, whenBroken);
    try {
      peer.bind(listen);
    } catch (BindException | RuntimeException e) {
      peer.close();
      throw e;
    }
    Endpoint at = advertised == null ? endpoint(peer.address()) : advertised;
    peer.execute(() -> node.openAt(at));
    return node;
  }

  private static Endpoint endpoint(InetSocketAddress address) {
    return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
  }

  /**
   * Starts a client beside a ring. It does not wait for a member.
   *
   * @param loops that others use, too; null for one of its own
   * @param entrances members that it asks first
   */
  public static RingNode client(
      @Nullable ClientLoops loops,
      ClientCredentials own,
      LinkLimits limits,
      RingProtocol protocol,
      List<Endpoint> entrances) {
    return client(loops, HostResolver.ofSystem(), own, limits, protocol, entrances);
  }

  /** The same; a resolver says where members are. */
  public static RingNode client(
      @Nullable ClientLoops loops,
      HostResolver resolver,
      ClientCredentials own,
      LinkLimits limits,
      RingProtocol protocol,
      List<Endpoint> entrances) {
    NettyPeer peer = NettyPeer.beside(loops, resolver, own, limits, RingTypes.ALL);
    RingNode node = new RingNode(peer, protocol, RingMutex.HONEST, false, entrances, () -> {});
    node.begin(); // Here: who calls it at once must not have to wait for the loop.
    peer.execute(node::look);
    return node;
  }

  private void openAt(Endpoint at) {
    post.setHome(at);
    if (entrances.isEmpty()) {
      begin();
    }
    look();
  }

  private void begin() {
    begunNanos = peer.now().nanos();
    PeerMachine<NodeId> made =
        peer.carry(this::freshNode, post, this::told, from -> faulted(), this::stopped);
    machine = made;
    ClientMachine unused = made.calls().begin();
  }

  /** Asks for members until it knows some, and again when it hears nothing of them. */
  private void look() {
    if (closed) {
      return;
    }
    long nowNanos = peer.now().nanos();
    tellIfReady();
    if (!isReady() && member && machine != null && nowNanos - begunNanos > SILENCE_NANOS) {
      startOver();
    }
    boolean isLost = post.home() == null || nowNanos - post.heardNanos() > SILENCE_NANOS;
    boolean isDue = peer.certification() != null && nowNanos - lookedNanos > LOOK_AGAIN_NANOS;
    if (machine == null || (!member && (isLost || isDue))) {
      lookedNanos = nowNanos;
      entrances.forEach(post::askMembersAt);
    }
    peer.later(ASK_AGAIN_NANOS, this::look);
  }

  private void tellIfReady() {
    if (!joined.isDone() && isReady()) {
      joined.complete(self);
    }
  }

  private boolean isReady() {
    return member ? node != null && node.overlay().hasJoined() : post.home() != null;
  }

  /** Those through whom it wanted to join are gone, it seems. */
  private void startOver() {
    PeerMachine<NodeId> before = machine;
    machine = null;
    node = null;
    if (before != null) {
      before.calls().close();
    }
  }

  /** A machine as it is at each start. */
  private DhtNode freshNode() {
    DhtNode before = node;
    if (before != null) {
      ImmutableList<NodeId> leaves = before.overlay().routing().leaves();
      contacts = leaves.isEmpty() ? contacts : leaves;
    }
    DhtNode fresh =
        new DhtNode(
            self,
            protocol.routing().of(self),
            protocol.overlay(),
            member,
            contacts,
            (part, overlay) ->
                mutex.maker(protocol, certificates.orChannels()).make(part, overlay));
    node = fresh;
    return fresh;
  }

  private final class Inbox implements RingPost.Inbox {
    @Override
    public void take(NodeId from, Message message, @Nullable String toBlame) {
      PeerMachine<NodeId> present = machine;
      if (present == null) {
        enter(from, message);
        return;
      }
      speaker = toBlame;
      boolean unused = present.receive(from, message);
      speaker = null;
      tellIfReady();
    }

    @Override
    public void aside(Message message) {
      asides.forEach(listener -> listener.accept(message));
    }
  }

  /** The first answer to a member that wants to join. */
  private void enter(NodeId from, Message message) {
    if (!(message instanceof Acquaintances known) || from.equals(self)) {
      return;
    }
    List<NodeId> all = new ArrayList<>();
    all.add(from);
    known.nodes().stream().filter(other -> !other.equals(self)).forEach(all::add);
    contacts = ImmutableList.copyOf(all);
    begin();
  }

  /** The machine that takes its place knows of no lease. */
  private void faulted() {
    restores++;
    if (speaker != null) {
      peer.punish(speaker);
    }
    whenForgotten.forEach(Runnable::run);
    if (!member) {
      peer.execute(() -> entrances.forEach(post::askMembersAt));
    }
  }

  private void told(Event event) {
    listeners.forEach(listener -> listener.accept(event));
  }

  private void stopped() {
    whenForgotten.forEach(Runnable::run);
    if (!closed && machine != null) {
      whenBroken.run();
    }
  }

  /** Asks there from now on when it knows no member; one that has founded a ring goes on so. */
  public void enterAt(List<Endpoint> others) {
    if (!entrances.isEmpty() && !others.isEmpty()) {
      entrances = ImmutableList.copyOf(others);
    }
  }

  public RingProtocol protocol() {
    return protocol;
  }

  public NodeId id() {
    return self;
  }

  public boolean isMember() {
    return member;
  }

  /** Where a member takes connections. */
  public InetSocketAddress address() {
    return peer.address();
  }

  /** Completes when a member has found its place, or a client a member. */
  public CompletableFuture<NodeId> whenReady() {
    return joined.copy();
  }

  public Moment now() {
    return peer.now();
  }

  /**
   * The machine, to call; of a member only when it {@linkplain #whenReady is ready}.
   *
   * @param events hears what it tells, on the loop
   * @param forgotten hears that it knows of no lease any more: it has ended, or began anew
   * @throws ClosedException if it has ended before
   */
  public ClientMachine attach(Consumer<Event> events, Runnable forgotten) {
    PeerMachine<NodeId> present = machine;
    if (closed || present == null) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
    listeners.add(events);
    whenForgotten.add(forgotten);
    return present.calls();
  }

  /** Who hears what members say beside letters: that this client lacks a right. */
  public void onAside(Consumer<Message> listener) {
    asides.add(listener);
  }

  /** What it knows. */
  public NodeView view() {
    return peer.await(
        () -> {
          DhtNode present = node;
          if (present == null) { // It has reached no other yet.
            Zone own = new Zone(self.bits(), self.bits());
            return new NodeView(self, false, own, ImmutableList.of(), 0, 0, restores);
          }
          return new NodeView(
              self,
              present.overlay().hasJoined(),
              present.overlay().routing().zone(),
              present.overlay().routing().neighbours(),
              present.overlay().routing().known().size(),
              present.backend().entries(),
              restores);
        });
  }

  /** Connections, limits and refusals. */
  public NettyPeer peer() {
    return peer;
  }

  /** Leaves: a member says goodbye, and its neighbours need not find out. */
  @Override
  public void close() {
    end(true);
  }

  /** Ends without a word, as a process does that is killed. */
  public void kill() {
    end(false);
  }

  private void end(boolean isOrderly) {
    try {
      boolean unused =
          peer.await(
              () -> {
                if (closed) {
                  return false;
                }
                closed = true;
                if (isOrderly && member && node != null) {
                  node.overlay().routing().leaves().forEach(it -> post.send(it, new Goodbye()));
                }
                PeerMachine<NodeId> present = machine;
                if (present != null) {
                  present.calls().close();
                }
                joined.cancel(false);
                return true;
              });
    } catch (RejectedExecutionException e) {
      // The loop has ended before.
    }
    peer.close();
  }
}
