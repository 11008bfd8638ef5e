package io.testudo.quorum.netty;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.netty.channel.EventLoop;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.GatewayTypes;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client process: one connection to each server, shared by all its machines, each of which has a
 * handle. Everything happens on one loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
public final class NettyClient implements AutoCloseable {
  /** What is said of a server with a connection begins so. */
  public static final String CONNECTED = "is connected";

  /** More machines than this have lost count of themselves. */
  private static final int MAX_MACHINES = 65_536;

  private final String principal;
  private final long session;
  private final @Nullable ClientLoops ownLoops;
  private final EventLoop loop;
  private final HostResolver resolver;
  private final LinkCounters counters = new LinkCounters();
  private final List<ServerDialer> dialers = new ArrayList<>();

  /** Touched on the loop only. */
  private final Map<Long, PeerMachine<ServerId>> machines = new HashMap<>();

  /** Those that were started and have not ended. */
  private final AtomicInteger openMachines = new AtomicInteger();

  /** Touched on the loop only. */
  private long newestHandle;

  /** Touched on the loop only: the next to be sent is often the same, to another server. */
  private @Nullable Outgoing lastSent;

  /** Not a monitor, which would pin virtual threads that start machines at the same time. */
  private final ReentrantLock starting = new ReentrantLock();

  /** Guarded by {@link #starting}, as is what follows. */
  private long lastHandle;

  private boolean closed;

  private NettyClient(
      EventLoop loop,
      @Nullable ClientLoops ownLoops,
      List<Endpoint> servers,
      HostResolver resolver,
      ClientCredentials credentials,
      LinkLimits limits,
      WireTypes types) {
    this.principal = credentials.principal();
    this.session = ClientCredentials.newSession();
    this.loop = loop;
    this.ownLoops = ownLoops;
    this.resolver = resolver;
    FrameCodec codec = new FrameCodec(types.and(GatewayTypes.ALL), limits.frames());
    for (int index = 0; index < servers.size(); index++) {
      ServerDialer dialer =
          new ServerDialer(
              new ServerId(index),
              servers.get(index),
              resolver,
              session,
              loop,
              credentials,
              limits,
              codec,
              counters,
              this::received);
      dialers.add(dialer);
      dialer.start();
    }
  }

  /**
   * Connects to the servers of a cluster, in a session of its own. It does not wait: what is asked
   * before the connections are there goes out when they are.
   *
   * @param servers by index; names that were looked up are not looked up again
   * @throws IllegalArgumentException if open credentials would be used beyond this machine
   */
  public static NettyClient connect(
      List<InetSocketAddress> servers,
      ClientCredentials credentials,
      LinkLimits limits,
      WireTypes types) {
    return connect(null, endpoints(servers), HostResolver.ofSystem(), credentials, limits, types);
  }

  /**
   * As {@link #connect(List, ClientCredentials, LinkLimits, WireTypes)}, on one of the threads that
   * clients share; whoever made those ends them.
   */
  public static NettyClient connect(
      ClientLoops loops,
      List<InetSocketAddress> servers,
      ClientCredentials credentials,
      LinkLimits limits,
      WireTypes types) {
    return connect(loops, endpoints(servers), HostResolver.ofSystem(), credentials, limits, types);
  }

  /**
   * Connects to the servers of a cluster wherever they are: names are looked up again whenever a
   * connection was lost.
   *
   * @param loops that others use, too; null for one of its own
   * @param servers by index
   * @throws IllegalArgumentException if open credentials would be used beyond this machine
   */
  public static NettyClient connect(
      @Nullable ClientLoops loops,
      List<Endpoint> servers,
      HostResolver resolver,
      ClientCredentials credentials,
      LinkLimits limits,
      WireTypes types) {
    servers.forEach(server -> credentials.checkReach(server, resolver));
    ClientLoops own = loops == null ? ClientLoops.start(1) : null;
    ClientLoops used = own == null ? Objects.requireNonNull(loops) : own;
    return new NettyClient(used.group().next(), own, servers, resolver, credentials, limits, types);
  }

  private static ImmutableList<Endpoint> endpoints(List<InetSocketAddress> servers) {
    return servers.stream()
        .map(
            address ->
                new Endpoint(
                    address.isUnresolved()
                        ? address.getHostString()
                        : address.getAddress().getHostAddress(),
                    address.getPort()))
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * Goes on with other addresses or credentials. Each server is connected anew, one after the
   * other, and its present connection goes on until the new one stands: machines notice nothing but
   * messages that are lost, at most.
   *
   * @param servers as many as before
   * @param credentials of the same principal; null for those in use
   * @return completes when each server was tried once
   * @throws IllegalArgumentException if open credentials would be used beyond this machine
   */
  public CompletableFuture<Void> replace(
      List<Endpoint> servers, @Nullable ClientCredentials credentials) {
    checkArgument(servers.size() == dialers.size(), "a cluster keeps the number of its servers");
    if (credentials != null) {
      checkArgument(credentials.principal().equals(principal), "a client keeps its principal");
      servers.forEach(server -> credentials.checkReach(server, resolver));
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    boolean isOpen =
        ClientMachine.onLoop(
            loop,
            () -> {
              for (int index = 0; index < dialers.size(); index++) {
                dialers.get(index).replace(servers.get(index), credentials);
              }
              renewFrom(0, done);
            });
    if (!isOpen) {
      done.complete(null); // It is closed, and nothing is left to be replaced.
    }
    return done;
  }

  private void renewFrom(int index, CompletableFuture<Void> done) {
    if (index == dialers.size()) {
      done.complete(null);
    } else {
      dialers.get(index).renew(() -> loop.execute(() -> renewFrom(index + 1, done)));
    }
  }

  /** How many servers are connected as was said {@linkplain #replace last}. */
  public int renewed() {
    return Loops.await(loop, () -> (int) dialers.stream().filter(ServerDialer::isRenewed).count());
  }

  /** Runs something soon, between the steps of the machines; not if it is closed. */
  public void betweenSteps(Runnable task) {
    boolean unused = ClientMachine.onLoop(loop, task);
  }

  /**
   * Runs something again and again until the client is closed, on a thread where it may block; the
   * next time follows so long after the end of the last.
   */
  public void every(Duration pause, Runnable task) {
    try {
      loop.schedule(
          () -> AddressRound.elsewhere(() -> runAndRepeat(pause, task)),
          pause.toNanos(),
          TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  private void runAndRepeat(Duration pause, Runnable task) {
    starting.lock();
    try {
      if (closed) {
        return;
      }
    } finally {
      starting.unlock();
    }
    try {
      task.run();
    } finally {
      every(pause, task);
    }
  }

  /**
   * Starts a machine.
   *
   * @param events hears what it tells
   */
  public ClientMachine start(Machine<ServerId> machine, Consumer<Event> events) {
    return start(machine, events, () -> {});
  }

  /**
   * Starts a machine. It does not wait for the loop: what is asked of the machine follows its
   * start.
   *
   * @param events hears what it tells
   * @param whenStopped told on the loop, once, that the machine has ended: closed or broken
   * @throws ClosedException if the client is closed
   */
  public ClientMachine start(
      Machine<ServerId> machine, Consumer<Event> events, Runnable whenStopped) {
    starting.lock(); // Until it has begun: close() ends only what began before it.
    try {
      return startAlone(machine, events, whenStopped);
    } finally {
      starting.unlock();
    }
  }

  private ClientMachine startAlone(
      Machine<ServerId> machine, Consumer<Event> events, Runnable whenStopped) {
    if (closed) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
    if (openMachines.get() >= MAX_MACHINES) {
      throw new OverloadedException("machines of a client", MAX_MACHINES);
    }
    openMachines.incrementAndGet();
    long handle = ++lastHandle;
    AtomicReference<@Nullable PeerMachine<ServerId>> itself = new AtomicReference<>();
    PeerMachine<ServerId> made =
        PeerMachine.once(
            machine,
            loop,
            new Transport<ServerId, Message>() {
              @Override
              public void send(ServerId server, Message message) {
                NettyClient.this.send(server, handle, message);
              }

              @Override
              public void flush() {}
            },
            events,
            this::statesOnLoop,
            () -> {
              machines.put(handle, Objects.requireNonNull(itself.get()));
              newestHandle = Math.max(newestHandle, handle);
            },
            () -> {
              machines.remove(handle);
              openMachines.decrementAndGet();
              whenStopped.run();
            });
    itself.set(made);
    return made.calls().begin();
  }

  private void send(ServerId to, long handle, Message message) {
    Outgoing outgoing = lastSent;
    if (outgoing == null || !outgoing.isOf(handle, message)) {
      outgoing = new Outgoing(new Envelope(handle, message));
      lastSent = outgoing;
    }
    dialers.get(to.index()).send(outgoing);
  }

  private void received(ServerId from, Envelope envelope) {
    PeerMachine<ServerId> machine = machines.get(envelope.handle());
    if (machine == null && envelope.handle() > 0 && envelope.handle() <= newestHandle) {
      return; // The answer is late: its machine is closed.
    }
    if (machine == null || !machine.receive(from, envelope.message())) {
      counters.count("unhandled", from.toString(), envelope.message().getClass().getSimpleName());
    }
  }

  /** Who servers know this client as. */
  public String principal() {
    return principal;
  }

  /** What tells this start of the process from all others; its servers know it too. */
  public long session() {
    return session;
  }

  /** The present moment on the clocks by which the machines step. */
  public Moment now() {
    return new Moment(SystemTicker.INSTANCE.nanos(), SystemTicker.INSTANCE.wallMillis());
  }

  /** What was refused, and how often. */
  public LinkCounters counters() {
    return counters;
  }

  /** How many servers this client is connected to now. */
  public int connections() {
    try {
      return Loops.await(
          loop, () -> (int) dialers.stream().filter(ServerDialer::isConnected).count());
    } catch (RejectedExecutionException e) {
      return 0; // It is closed.
    }
  }

  /**
   * How it is with each server, in words that follow its name; of those with a connection they
   * begin with {@link #CONNECTED}.
   */
  public ImmutableMap<ServerId, String> states() {
    try {
      return Loops.await(loop, this::statesOnLoop);
    } catch (RejectedExecutionException e) {
      return ImmutableMap.of(); // It is closed.
    }
  }

  private ImmutableMap<ServerId, String> statesOnLoop() {
    ImmutableMap.Builder<ServerId, String> states = ImmutableMap.builder();
    for (int index = 0; index < dialers.size(); index++) {
      states.put(new ServerId(index), dialers.get(index).state());
    }
    return states.buildOrThrow();
  }

  /** Ends all connections; calls in progress fail. */
  @Override
  public void close() {
    starting.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      starting.unlock();
    }
    Loops.await(
        loop,
        () -> {
          List.copyOf(machines.values()).forEach(machine -> machine.calls().stopOnLoop());
          dialers.forEach(ServerDialer::close);
          return true;
        });
    if (ownLoops != null) {
      ownLoops.close();
    }
  }
}
