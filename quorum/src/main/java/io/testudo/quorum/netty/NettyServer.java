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
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Host;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on a socket: takes connections, lets them show who they are, and hands their messages to
 * its machines. With one loop everything happens on one thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
public final class NettyServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NettyServer.class);
  private static final int BACKLOG = 1_024;

  private final ServerLoops carriers;
  private final EventLoopGroup loops;
  private final Gate gate;
  private final FrameCodec codec;
  private final LinkCounters counters = new LinkCounters();
  private final ServerLinks links;
  private final Penalties penalties = new Penalties();
  private final OutputBudget output;
  private final List<Attendant> attendants = new CopyOnWriteArrayList<>();
  private final List<Consumer<? super Throwable>> whenBroken = new CopyOnWriteArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Map<Class<?>, LongAdder> received = new ConcurrentHashMap<>();

  /** Also closes what a loop takes in after it was closed itself. */
  private final ChannelGroup accepted =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);

  private final WorkProbe probe = new WorkProbe();

  private volatile ServerCredentials credentials;
  private volatile LinkLimits limits;
  private volatile @Nullable Channel listening;

  /**
   * Prepares a server; it gets its machines by {@link #add} and listens after {@link #bind}.
   *
   * @param loops on which everything happens; whoever made them ends them
   */
  public NettyServer(
      ServerLoops loops,
      ServerCredentials credentials,
      Gate gate,
      LinkLimits limits,
      WireTypes types) {
    this.carriers = loops;
    this.loops = loops.group();
    this.credentials = credentials;
    this.gate = gate;
    this.limits = limits;
    this.codec = new FrameCodec(types.and(GatewayTypes.ALL), limits.frames());
    this.links = new ServerLinks(limits);
    this.output = new OutputBudget(limits.pendingBytes());
  }

  /**
   * Adds a machine; before {@link #bind}.
   *
   * @param machine makes the machine as it is at each start; it also starts anew, from its ledger,
   *     if it throws on a client's message
   * @param ledger makes the machine's ledger, given the loop on which all its calls must come
   * @param events hears what the machine tells
   * @param whenBroken hears that our own code failed, or that an {@link Error} was thrown; the
   *     whole server is silent from then on, and should be ended
   */
  public void add(
      Supplier<Machine<ClientId>> machine,
      Function<Executor, Ledger> ledger,
      Consumer<Event> events,
      Consumer<? super Throwable> whenBroken) {
    checkState(listening == null, "machines are added before the server listens");
    this.whenBroken.add(whenBroken);
    carriers.carry(this);
    EventLoop loop = loops.next();
    Machine<ClientId> first = machine.get();
    String name = first.getClass().getSimpleName();
    Host<ClientId> host =
        Host.restorable(
            first,
            machine,
            links,
            ledger.apply(loop),
            SystemTicker.INSTANCE,
            new LoopAlarm(loop, this::end),
            new MachineListener<>(
                name,
                events,
                client -> faulted(client.principal()),
                cause -> end(name, cause, List.of(whenBroken))));
    ServerMachine serverMachine = new ServerMachine(name, host, loop);
    attendants.add(serverMachine);
    serverMachine.start();
  }

  /** Adds one who takes messages in another way than a machine of clients; before {@link #bind}. */
  void attend(Attendant attendant) {
    checkState(listening == null, "who attends is added before the server listens");
    attendants.add(attendant);
    carriers.carry(this);
  }

  /** Sends to one who is connected; false if nobody is there. */
  boolean send(ClientId to, Message message) {
    return links.sendIfThere(to, message);
  }

  /** The certificate that one who is connected has shown; null if there is none. */
  @Nullable X509Certificate shownBy(ClientId client) {
    return links.shownBy(client);
  }

  void faulted(String principal) {
    counters.count(Refusals.FAULT, principal, "a machine threw on what it said");
    penalties.punish(principal, System.nanoTime());
  }

  /** What carries all machines failed: as if each had. */
  void end(Throwable cause) {
    end("what carries it", cause, whenBroken);
  }

  /**
   * Our own code failed, or the virtual machine did: all machines stop, on whatever thread they
   * are, and all connections end. A server of which a part is dead must not look alive.
   */
  private void end(String what, Throwable cause, List<Consumer<? super Throwable>> told) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      attendants.forEach(Attendant::stopSoon);
      LOG.error("this server ends, since {} broke: {}", what, cause.toString(), cause);
      Channel present = listening;
      if (present != null) {
        present.close();
      }
      accepted.close();
    } finally {
      told.forEach(listener -> listener.accept(cause));
    }
  }

  /**
   * Finds out whether this server does what it is there for: a task goes through the loop of each
   * machine and a write through its journal to the disk. One inquiry is under way at a time,
   * whoever asks meanwhile shares its answer.
   *
   * @return the names of machines that did not manage it in time; empty if all is well
   */
  public CompletableFuture<List<String>> probe(Duration within) {
    return probe.of(attendants, within);
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
      listening = Loops.sync(bootstrap.bind(address)).channel();
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

  /** How many messages of each type came to the machines. */
  public Map<String, Long> received() {
    Map<String, Long> sums = new TreeMap<>();
    received.forEach((type, adder) -> sums.put(type.getSimpleName(), adder.sum()));
    return sums;
  }

  /** Bytes of answers that wait for peers to read them. */
  public long unreadBytes() {
    return output.owed();
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
   * Shows and asks for these from now on. Connections that are there go on, but for those whose
   * certificates no authority vouches for any more.
   *
   * @throws IllegalArgumentException if open credentials would be reachable beyond this machine
   */
  public void use(ServerCredentials other) {
    if (listening != null) {
      other.checkReach(address());
    }
    credentials = other;
    links.endUntrusted(link -> other.trusts(link.channel()));
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
    Channel oldest = links.arrived(channel, address);
    if (oldest != null) {
      counters.count(
          Refusals.TOO_MANY,
          Refusals.address(oldest),
          "too many have not shown who they are; the oldest has to go");
      oldest.close();
    }
    accepted.add(channel);
    channel.closeFuture().addListener(closed -> links.left(channel));
    ChannelPipeline pipeline = channel.pipeline();
    ServerCredentials shown = credentials; // The same from the first byte to the last.
    if (shown.tls() != null) {
      pipeline.addLast(shown.tls().newHandler(channel.alloc()));
    }
    FrameSplitter splitter = new FrameSplitter(Handshake.MAX_MESSAGE_BYTES);
    pipeline.addLast(splitter);
    pipeline.addLast(
        new HandshakeHandler(
            begun -> shown.begin(begun, gate::knows),
            /* initiates= */ false,
            limits,
            counters,
            (peerChannel, progress) -> established(peerChannel, splitter, progress),
            this::end));
  }

  private void established(Channel channel, FrameSplitter splitter, Progress progress) {
    PeerClient peer = progress.peer();
    if (peer == null || progress.guard() == null) {
      throw new IllegalStateException("a handshake ended without a peer");
    }
    Link link =
        new Link(
            channel,
            progress.guard(),
            codec,
            limits,
            counters,
            new Receiver(peer, progress.epochs()));
    if (!links.established(peer, link)) {
      link.refuse(Refusals.TOO_MANY, "more than members, or a principal, are allowed");
      return;
    }
    splitter.allow(limits.frames().frameBytes() + progress.guard().overhead());
    channel.pipeline().addLast(new Upkeep(link, splitter, limits), link);
    channel.pipeline().remove(HandshakeHandler.class);
  }

  private final class Receiver implements Link.Receiver {
    private final PeerClient peer;
    private final KeyEpochs epochs;

    Receiver(PeerClient peer, KeyEpochs epochs) {
      this.peer = peer;
      this.epochs = epochs;
    }

    @Override
    public void received(Link link, Envelope envelope) {
      if (penalties.any() && penalties.isPunished(peer.principal(), System.nanoTime())) {
        counters.count(Refusals.PUNISHED, peer.principal(), "it is not heard for a while");
        return;
      }
      if (envelope.message() instanceof Guarded guarded && isRefused(guarded)) {
        if (guarded.name().length() <= NoRight.MAX_NAME_LENGTH) {
          NoRight refusal = new NoRight(guarded.right(), guarded.name(), !gate.takesSeal(guarded));
          link.send(new Envelope(envelope.handle(), refusal));
        }
        return;
      }
      boolean handled = false;
      for (Attendant attendant : attendants) {
        // Several may answer a question, each for itself.
        if (attendant.handles(envelope.message())) {
          attendant.receive(peer.client(envelope.handle()), envelope.message());
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

    private boolean isRefused(Guarded message) {
      String principal = peer.principal();
      if (!gate.takesKeys(principal, epochs)) {
        counters.count(Refusals.OLD_KEYS, principal, "its keys, of " + epochs + ", are too old");
        return true;
      } else if (!gate.allows(principal, message)) {
        counters.count(Refusals.NO_RIGHT, principal, message.getClass().getSimpleName());
        return true;
      } else if (!gate.takesSeal(message)) {
        counters.count(Refusals.OTHER_SEALS, principal, "it does not seal as all members are to");
        return true;
      }
      return false;
    }

    @Override
    public void closed(Link link) {
      links.closed(peer, link);
    }

    @Override
    public boolean owe(int bytes) {
      return output.owe(peer.principal(), bytes);
    }

    @Override
    public void paid(long bytes) {
      output.paid(peer.principal(), bytes);
    }

    @Override
    public void failed(Link link, Throwable cause) {
      end(cause);
    }
  }

  /** Stops listening, ends all connections and machines; the loops stay. */
  @Override
  public void close() {
    ended.set(true);
    carriers.drop(this);
    if (loops.isShuttingDown()) {
      return; // On loops that have ended nothing is left to stop, and nobody to say so.
    }
    Channel present = listening;
    if (present != null) {
      Loops.sync(present.close());
    }
    attendants.forEach(Attendant::stop);
    Loops.sync(accepted.close());
  }
}
