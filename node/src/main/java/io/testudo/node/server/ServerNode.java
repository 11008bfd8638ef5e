package io.testudo.node.server;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ServerMachines;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.inquiry.StatusServer;
import io.testudo.mutex.backoff.CeilingsAwaited;
import io.testudo.mutex.lease.LockUsage;
import io.testudo.mutex.protocol.GrantsLater;
import io.testudo.node.CommandException;
import io.testudo.node.Version;
import io.testudo.node.config.ServerConfig;
import io.testudo.ordering.server.MemoryLost;
import io.testudo.ordering.server.NamesAwaited;
import io.testudo.ordering.server.ObjectUsage;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server as its configuration says: all its machines with their journals, on a socket. The
 * daemon, the development cluster and the demo run the same.
 */
public final class ServerNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

  /** A disk that takes longer is of no use to clients, whatever it does later. */
  private static final Duration PROBE_WITHIN = Duration.ofSeconds(2);

  private final Journals journals;
  private final JournalMeter meter = new JournalMeter();
  private final JournalRounds rounds = new JournalRounds();
  private final ImmutableList<ServerMachines.NamedMachine> machines;
  private final Map<String, Machine<ClientId>> running = new ConcurrentHashMap<>();
  private final NettyServer server;
  private final long startNanos = System.nanoTime();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final Set<String> forgetful = ConcurrentHashMap.newKeySet();

  /** With the addresses, the rights and the key epochs that count at present. */
  private volatile ServerConfig config;

  /** Of the key files as they were read; guarded by this. */
  private String keysPrint;

  private volatile LinkLimits limits;
  private volatile boolean listening;

  /** Until then a lock machine grants nothing, since what it granted before may not be over. */
  private volatile long grantsFromNanos = startNanos;

  private ServerNode(
      ServerConfig config,
      Journals journals,
      ServerLoops loops,
      UnaryOperator<ServerMachines.NamedMachine> change) {
    this.config = config;
    this.journals = journals;
    this.keysPrint = config.credentials().print();
    this.limits = config.limits();
    this.machines =
        ServerMachines.of(
                config.self(),
                config.cluster(),
                config.common(),
                journals.enrolment(),
                Version.number(),
                this::quietMillis,
                () -> print(config().common(), config().cluster()))
            .stream()
            .map(change)
            .collect(ImmutableList.toImmutableList());
    this.server =
        new NettyServer(
            loops,
            config.credentials().server(config.cluster(), config.self()),
            Gate.of(this::rights, () -> config().cluster().epochs())
                .withSeals(config.common().seals()),
            config.limits(),
            ServerMachines.types(config.common()));
  }

  /**
   * Starts a server; it serves when this returns.
   *
   * @param whenBroken hears of a machine that failed; the server is silent from then on
   * @throws CommandException if it cannot start, with what to do
   */
  public static ServerNode start(
      ServerConfig config,
      Journals journals,
      ServerLoops loops,
      BiConsumer<String, Throwable> whenBroken) {
    return start(config, journals, loops, UnaryOperator.identity(), whenBroken);
  }

  /**
   * As {@link #start(ServerConfig, Journals, ServerLoops, BiConsumer)}.
   *
   * @param change puts other machines in the place of a server's own, for those who measure what a
   *     liar does
   */
  public static ServerNode start(
      ServerConfig config,
      Journals journals,
      ServerLoops loops,
      UnaryOperator<ServerMachines.NamedMachine> change,
      BiConsumer<String, Throwable> whenBroken) {
    ServerNode node = new ServerNode(config, journals, loops, change);
    try {
      node.start(whenBroken);
      return node;
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private void start(BiConsumer<String, Throwable> whenBroken) {
    WireTypes types = ServerMachines.types(config.common());
    StateCodec codec = new StateCodec(types);
    for (ServerMachines.NamedMachine named : machines) {
      server.add(
          () -> begin(named),
          loop ->
              named.keeps() ? Ledger.on(meter.on(open(named.name(), loop)), codec) : Ledger.none(),
          event -> told(named.name(), event),
          cause -> {
            broken.add(named.name());
            whenBroken.accept(named.name(), cause);
          });
    }
    for (String idle : ServerMachines.journals(config.common())) {
      if (!machines().contains(idle) && journals.has(idle)) {
        // No machine uses it now; one that does later must find it as old as the others.
        List<byte[]> unused = open(idle, Runnable::run).recover();
      }
    }
    rounds.begin(config.data());
    Endpoint listen = config.listen();
    try {
      server.bind(new InetSocketAddress(listen.host(), listen.port()));
    } catch (BindException e) {
      throw new CommandException(
          "%s cannot listen at %s (%s); end what listens there, or change 'listen' in %s."
              .formatted(config.self(), listen, reason(e), config.file()),
          e);
    }
    listening = true;
  }

  private Journal open(String named, Executor loop) {
    return rounds.on(named, journals.open(named, loop), loop);
  }

  /** At the start, and whenever a machine has to start anew. */
  private Machine<ClientId> begin(ServerMachines.NamedMachine named) {
    Machine<ClientId> made = named.machine().get();
    running.put(named.name(), made);
    return made;
  }

  /** A server that lost its memory of objects works for the rest, and says what is to be done. */
  private void told(String named, Event event) {
    if (event instanceof GrantsLater later) {
      long fromNanos = System.nanoTime() + later.nanos();
      if (fromNanos - grantsFromNanos > 0) {
        grantsFromNanos = fromNanos;
      }
      LOG.atInfo()
          .addKeyValue("machine", named)
          .addKeyValue("seconds", later.nanos() / 1_000_000_000)
          .log("grants no locks yet: leases from before its start may still run");
    }
    if (event instanceof CeilingsAwaited ceilings) {
      if (ceilings.awaited()) {
        forgetful.add(named);
        LOG.warn(
            "{} has lost its memory of locks and grants none until 'testudo readmit' was run",
            self());
      } else {
        forgetful.remove(named);
      }
    }
    if (event instanceof NamesAwaited names) {
      if (names.awaited()) {
        forgetful.add(named);
        LOG.warn(
            "{} has lost its memory of objects and takes no part in new ones until 'testudo"
                + " readmit' was run",
            self());
      } else {
        forgetful.remove(named);
      }
    }
    if (event instanceof MemoryLost) {
      forgetful.add(named);
      LOG.error(
          "{} has an empty journal of objects in {} and should have a memory: it was lost or"
              + " exchanged. The server takes no part in objects. If it is lost for good, start the"
              + " server once with --readmit.",
          self(),
          config.data());
    }
  }

  private static String reason(BindException e) {
    Throwable cause = e.getCause();
    return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
  }

  /**
   * Takes limits, rights, addresses of servers and keys of a configuration that was read again.
   * Connections go on, but for those of principals and certificates that count no longer.
   *
   * @return what else has changed and has to wait for a restart
   * @throws ConfigurationException if the keys cannot be used, or the cluster file is that of
   *     another cluster; then nothing is taken
   */
  public synchronized List<String> reload(ServerConfig fresh) {
    ClusterDescription was = config.cluster();
    ClusterDescription is = fresh.cluster();
    if (!is.name().equals(was.name())
        || is.security() != was.security()
        || is.byzantine() != was.byzantine()
        || is.servers() != was.servers()) {
      throw new ConfigurationException(
          "%s: the name of the cluster, its security, b and the number of servers cannot change while a server runs; restart it, or undo the change."
              .formatted(fresh.file()));
    }
    String freshPrint = fresh.credentials().print();
    boolean hasOtherKeys =
        !freshPrint.equals(keysPrint) || !fresh.credentials().equals(config.credentials());
    ServerCredentials shown = hasOtherKeys ? fresh.credentials().server(was, config.self()) : null;
    // Servers do not talk to each other: where they are is for those who ask, and for status.
    ClusterDescription next =
        new ClusterDescription(
            was.name(),
            was.security(),
            was.byzantine(),
            is.endpoints(),
            is.rights(),
            is.epochs(),
            is.signingKeys());
    List<String> later = new ArrayList<>();
    noteChange(later, "server", config.self(), fresh.self());
    noteChange(later, "listen", config.listen(), fresh.listen());
    noteChange(later, "admin", config.admin(), fresh.admin());
    noteChange(later, "data", config.data(), fresh.data());
    noteChange(
        later,
        "what all members agree on of locks and objects",
        print(config.common(), was),
        print(fresh.common(), is.at(was.endpoints())));
    server.replaceLimits(fresh.limits());
    limits = fresh.limits();
    if (shown != null) {
      server.use(shown);
      keysPrint = freshPrint;
    }
    config = config.with(next);
    server.rightsChanged();
    return later;
  }

  private static String print(CommonSettings common, ClusterDescription cluster) {
    return common.print(cluster);
  }

  private static void noteChange(List<String> later, String what, Object before, Object after) {
    if (!before.equals(after)) {
      later.add(what);
    }
  }

  public ServerConfig config() {
    return config;
  }

  public ServerId self() {
    return config.self();
  }

  /** The server on its socket. */
  public NettyServer server() {
    return server;
  }

  /** Whether every machine works: each has just written something, and its disk has it. */
  public boolean isAlive() {
    return stuck().isEmpty();
  }

  /** Those that failed, or did not manage to write something to their journal in time. */
  public Set<String> stuck() {
    Set<String> stuck = new TreeSet<>(broken);
    for (String silent : server.probe(PROBE_WITHIN).join()) {
      running.forEach(
          (named, machine) -> {
            if (machine.getClass().getSimpleName().equals(silent)) {
              stuck.add(named);
            }
          });
    }
    return stuck;
  }

  boolean isListening() {
    return listening;
  }

  /** Whether it takes connections and takes part in everything, too. */
  public boolean isReady() {
    return isReady(stuck());
  }

  /** The same, if it is known which machines are stuck: to find out takes its time. */
  boolean isReady(Set<String> stuck) {
    return stuck.isEmpty() && listening && forgetful.isEmpty() && grantsLocksIn().isZero();
  }

  /** What it tells who asks; one that needs an operator to grant locks says so at any time. */
  private long quietMillis() {
    return forgetful.stream().anyMatch(ServerMachines::isLock)
        ? Pong.MAX_QUIET_MILLIS
        : Math.min(grantsLocksIn().toMillis(), Pong.MAX_QUIET_MILLIS - 1);
  }

  /** For how long yet it grants no locks, because leases from before its start may still run. */
  public Duration grantsLocksIn() {
    return Duration.ofNanos(Math.max(0, grantsFromNanos - System.nanoTime()));
  }

  /** What objects take here. */
  ObjectUsage objectUsage() {
    for (Machine<ClientId> machine : running.values()) {
      if (machine instanceof OrderingServer objects) {
        return objects.usage();
      }
    }
    return new ObjectUsage(0, 0, 0, 0, 0);
  }

  /** What locks take here, by machine. */
  Map<String, LockUsage> lockUsage() {
    Map<String, LockUsage> usages = new TreeMap<>();
    running.forEach(
        (named, machine) -> {
          if (machine instanceof LockUsage.Source locks) {
            usages.put(named, locks.lockUsage());
          }
        });
    return usages;
  }

  /** By how many principals servers are said to have said what no correct one says. */
  Map<ServerId, Integer> accusers() {
    for (Machine<ClientId> machine : running.values()) {
      if (machine instanceof StatusServer status) {
        return status.accusers();
      }
    }
    return Map.of();
  }

  /** As many connections may be. */
  int maxConnections() {
    return limits.connections();
  }

  /** Goes up with each start, and while this server is asked. */
  public long incarnation() {
    for (Machine<ClientId> machine : running.values()) {
      if (machine instanceof PingServer ping) {
        return ping.incarnation();
      }
    }
    return 0;
  }

  public long uptimeNanos() {
    return System.nanoTime() - startNanos;
  }

  /** The names of the machines. */
  public ImmutableList<String> machines() {
    return machines.stream()
        .map(ServerMachines.NamedMachine::name)
        .collect(ImmutableList.toImmutableList());
  }

  /** Those that lost their memory and keep quiet until the server is readmitted. */
  public Set<String> forgetful() {
    return Set.copyOf(forgetful);
  }

  JournalMeter journalMeter() {
    return meter;
  }

  Rights rights() {
    return config.cluster().rights();
  }

  /** Stops to listen, ends the machines, and makes their journals complete. */
  @Override
  public void close() {
    listening = false;
    rounds.end();
    server.close();
    journals.release();
  }
}
