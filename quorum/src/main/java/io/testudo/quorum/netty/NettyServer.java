package io.testudo.quorum.netty;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.PeerClient;
import io.testudo.quorum.channel.Progress;
import io.testudo.quorum.cluster.GatewayTypes;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server on a socket: takes connections, lets them show who they are, and hands their messages to
 * its halves. With one loop everything happens on one thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
public final class NettyServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;

  private final EventLoopGroup loops;
  private final ServerCredentials credentials;
  private final Gate gate;
  private final FrameCodec codec;
  private final LinkCounters counters = new LinkCounters();
  private final ServerLinks links;
  private final List<ServerHalf> halves = new ArrayList<>();
  private final Map<Class<?>, LongAdder> received = new ConcurrentHashMap<>();

  /** Also closes what a loop takes in after it was closed itself. */
  private final ChannelGroup accepted =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);

  private volatile LinkLimits limits;
  private volatile @Nullable Channel listening;

  /**
   * Prepares a server; it gets its halves by {@link #add} and listens after {@link #bind}.
   *
   * @param loops on which everything happens; whoever made them ends them
   */
  public NettyServer(
      ServerLoops loops,
      ServerCredentials credentials,
      Gate gate,
      LinkLimits limits,
      WireTypes types) {
    this.loops = loops.group();
    this.credentials = credentials;
    this.gate = gate;
    this.limits = limits;
    this.codec = new FrameCodec(types.and(GatewayTypes.ALL), limits.frames());
    this.links = new ServerLinks(limits);
  }

  /**
   * Adds a half; before {@link #bind}.
   *
   * @param ledger makes the half's ledger, given the loop on which all its calls must come
   * @param events hears what the half tells
   * @param whenBroken hears that our own code failed; the half is silent from then on
   */
  public void add(
      Machine<ClientId> machine,
      Function<Executor, Ledger> ledger,
      Consumer<Event> events,
      Consumer<RuntimeException> whenBroken) {
    checkState(listening == null, "halves are added before the server listens");
    EventLoop loop = loops.next();
    Host<ClientId> host =
        new Host<>(
            machine,
            links,
            ledger.apply(loop),
            SystemTicker.INSTANCE,
            new LoopAlarm(loop),
            new HalfListener<>(machine.getClass().getSimpleName(), events, whenBroken));
    ServerHalf half = new ServerHalf(machine, host, loop);
    halves.add(half);
    half.start();
  }

  /**
   * Begins to listen; port 0 takes a free one.
   *
   * @throws IllegalArgumentException if open credentials would be reachable beyond this machine
   */
  public void bind(InetSocketAddress address) throws BindException {
    credentials.checkReach(address);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(Loops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                });
    try {
      listening = bootstrap.bind(address).syncUninterruptibly().channel();
    } catch (Exception e) {
      BindException refused =
          new BindException("cannot listen on " + address + ": " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    Channel present = listening;
    checkState(present != null, "the server does not listen yet");
    return (InetSocketAddress) present.localAddress();
  }

  /** What was refused, and how often. */
  public LinkCounters counters() {
    return counters;
  }

  /** How many messages of each type came to the halves. */
  public Map<String, Long> received() {
    Map<String, Long> sums = new TreeMap<>();
    received.forEach((type, adder) -> sums.put(type.getSimpleName(), adder.sum()));
    return sums;
  }

  /** Connections whose peers have shown who they are. */
  public int connections() {
    return links.size();
  }

  /**
   * Takes other limits from now on: times and numbers for connections that come, except those of
   * frames, which all ends agree on when they start.
   */
  public void replaceLimits(LinkLimits other) {
    checkArgument(
        other.frames().equals(limits.frames()),
        "The limits of frames cannot change while a server runs; restart it.");
    limits = other;
    links.replaceLimits(other);
  }

  /**
   * Ends the connections of principals that the rights know no longer; to be called when the rights
   * have changed. Rights that are asked for by messages need no call, the next message meets them.
   */
  public void rightsChanged() {
    links.endAllBut(gate::knows);
  }

  private void accept(Channel channel) {
    String address = Refusals.address(channel);
    if (!links.arrived(address)) {
      counters.count(Refusals.TOO_MANY, address, "more than are allowed");
      channel.close();
      return;
    }
    accepted.add(channel);
    channel.closeFuture().addListener(closed -> links.left(address));
    ChannelPipeline pipeline = channel.pipeline();
    if (credentials.tls() != null) {
      pipeline.addLast(credentials.tls().newHandler(channel.alloc()));
    }
    FrameSplitter splitter = new FrameSplitter(Handshake.MAX_MESSAGE_BYTES);
    pipeline.addLast(splitter);
    pipeline.addLast(
        new HandshakeHandler(
            begun -> credentials.begin(begun, gate::knows),
            /* initiates= */ false,
            limits,
            counters,
            (peerChannel, progress) -> established(peerChannel, splitter, progress)));
  }

  private void established(Channel channel, FrameSplitter splitter, Progress progress) {
    PeerClient peer = progress.peer();
    if (peer == null || progress.guard() == null) {
      throw new IllegalStateException("a handshake ended without a peer");
    }
    Link link = new Link(channel, progress.guard(), codec, limits, counters, new Receiver(peer));
    if (!links.established(peer, link)) {
      link.refuse(Refusals.TOO_MANY, "more than a principal is allowed");
      return;
    }
    splitter.allow(limits.frames().frameBytes() + progress.guard().overhead());
    channel.pipeline().addLast(new Upkeep(link, splitter, limits), link);
    channel.pipeline().remove(HandshakeHandler.class);
  }

  private final class Receiver implements Link.Receiver {
    private final PeerClient peer;

    Receiver(PeerClient peer) {
      this.peer = peer;
    }

    @Override
    public void received(Link link, Envelope envelope) {
      if (!gate.allows(peer.principal(), envelope.message())) {
        counters.count(
            Refusals.NO_RIGHT, peer.principal(), envelope.message().getClass().getSimpleName());
        if (envelope.message() instanceof Guarded guarded
            && guarded.name().length() <= NoRight.MAX_NAME_LENGTH) {
          link.send(new Envelope(envelope.handle(), new NoRight(guarded.right(), guarded.name())));
        }
        return;
      }
      boolean handled = false;
      for (ServerHalf half : halves) {
        // Several may answer a question, each for itself.
        if (half.handles(envelope.message())) {
          half.receive(peer.client(envelope.handle()), envelope.message());
          handled = true;
        }
      }
      Class<?> type = envelope.message().getClass();
      if (handled) {
        received.computeIfAbsent(type, any -> new LongAdder()).increment();
      } else {
        counters.count("unhandled", link.address(), type.getSimpleName());
      }
    }

    @Override
    public void closed(Link link) {
      links.closed(peer, link);
    }
  }

  /** Stops listening, ends all connections and halves; the loops stay. */
  @Override
  public void close() {
    Channel present = listening;
    if (present != null) {
      present.close().syncUninterruptibly();
    }
    halves.forEach(ServerHalf::stop);
    accepted.close().syncUninterruptibly();
  }
}
