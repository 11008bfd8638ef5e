package io.testudo.mutex.client;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockListener;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives an application its locks. One serves a whole process: all locks and all threads.
 *
 * <pre>{@code
 * try (LockClient client = LockClient.connect(cluster, keys, new BackoffProtocol(timing))) {
 *   DistributedLock lock = client.lock("orders");
 *   try (Lease lease = lock.acquire()) {
 *     ledger.write(lease.fencingToken(), order);
 *   }
 * }
 * }</pre>
 */
public final class LockClient implements AutoCloseable {
  /** The most locks of one {@link MultiLock}. */
  public static final int MAX_LOCKS_AT_ONCE = 1_024;

  private final Runnable closesConnections;
  private final ImmutableMap<String, LockBackend> backends;
  private final LockBackend firstBackend;
  private final @Nullable BackendTable table;
  private final Callbacks callbacks;
  private final Suspicions suspicions = new Suspicions();
  private final Consumer<Event> events;
  private final LockListener listener;
  private final LockOptions defaults;

  /** Guarded by this. */
  private final Map<Choice, LockMachine> machines = new HashMap<>();

  private boolean closed;

  /**
   * Who serves a lock.
   *
   * @param options as they were asked for, with a hold that can be granted
   */
  record Serving(LockMachine machine, LockOptions options) {}

  /** What a machine is for. */
  private record Choice(LockBackend backend, LockOptions.Servers asked) {}

  private LockClient(Builder builder) {
    ImmutableList<LockBackend> all = builder.source.backends(builder);
    this.closesConnections = builder.closesConnections ? builder.source::close : () -> {};
    this.firstBackend = all.get(0);
    ImmutableMap.Builder<String, LockBackend> byName = ImmutableMap.builder();
    all.forEach(backend -> byName.put(backend.name(), backend));
    this.backends = byName.buildOrThrow();
    this.table = builder.table;
    this.callbacks = builder.callbacks;
    this.events = builder.events;
    this.listener = builder.listener;
    this.defaults = defaults(builder, all);
    if (table != null) {
      for (String name : table.backends()) {
        LockBackend unused = backendNamed(name);
      }
    }
    LockMachine unusedMachine = machine(defaults);
  }

  private static LockOptions defaults(Builder builder, ImmutableList<LockBackend> backends) {
    if (builder.options != null) {
      return builder.options;
    }
    LockOptions standard = LockOptions.standard();
    Duration longest = Collections.min(backends.stream().map(LockBackend::maxHold).toList());
    return standard.within(longest);
  }

  /**
   * Begins to make a client on connections that may serve other uses as well. They must speak the
   * {@linkplain LockProtocol#types types} of the backends.
   *
   * @param servers how many servers the cluster has
   * @param byzantine how many of them may lie
   */
  public static Builder on(NettyClient client, int servers, int byzantine) {
    return new Builder(new OnCluster(client, servers, byzantine));
  }

  /** Begins to make a client at a node of a ring: a member that is ready, or one beside it. */
  public static Builder at(RingNode node) {
    return new Builder(new AtNode(node));
  }

  /** Where locks are. */
  private interface Source {
    ImmutableList<LockBackend> backends(Builder builder);

    void close();
  }

  private record OnCluster(NettyClient client, int servers, int byzantine) implements Source {
    @Override
    public ImmutableList<LockBackend> backends(Builder builder) {
      checkState(!builder.backends.isEmpty(), "a lock client needs a backend");
      return builder.backends.stream()
          .map(it -> new ClusterBackend(client, servers, byzantine, builder.seals, it))
          .collect(ImmutableList.toImmutableList());
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private record AtNode(RingNode node) implements Source {
    @Override
    public ImmutableList<LockBackend> backends(Builder builder) {
      checkState(builder.backends.isEmpty(), "a ring has one lock protocol, its own");
      return ImmutableList.of(new RingBackend(node));
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /**
   * Connects to the servers of a cluster whose members share keys. It does not wait for them.
   *
   * @throws IllegalArgumentException if the keys are for another cluster
   */
  public static LockClient connect(
      ClusterDescription cluster, ClientKeyring keys, LockProtocol backend) {
    keys.requireFor(cluster);
    NettyClient connections =
        NettyClient.connect(
            null,
            cluster.endpoints(),
            HostResolver.ofSystem(),
            ClientCredentials.hmac(keys),
            LinkLimits.standard(),
            backend.types());
    try {
      return on(connections, cluster.servers(), cluster.byzantine())
          .backend(backend)
          .seals(GroupRankSeals.of(cluster.name(), keys.groupKeys(KeyPurpose.LOCK)))
          .closesConnections()
          .build();
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  /** A lock, with the client's options. */
  public DistributedLock lock(String name) {
    return lock(name, defaults);
  }

  /**
   * A lock. Each call gives another contender, even with the same name.
   *
   * @throws IllegalArgumentException if no server could grant what the options ask for
   */
  public DistributedLock lock(String name, LockOptions options) {
    LockNames.check(name);
    return new ClientLock(name, options, chosen -> serving(name, chosen));
  }

  /** Several locks that are acquired together, with the client's options. */
  public MultiLock multiLock(Collection<String> names) {
    return multiLock(names, defaults);
  }

  /** Several locks that are acquired together. */
  public MultiLock multiLock(Collection<String> names, LockOptions options) {
    ImmutableSortedSet<String> sorted = ImmutableSortedSet.copyOf(names);
    if (sorted.isEmpty() || sorted.size() > MAX_LOCKS_AT_ONCE) {
      throw new IllegalArgumentException(
          "A multi-lock is over 1 to %s names; %s were given."
              .formatted(MAX_LOCKS_AT_ONCE, sorted.size()));
    }
    ImmutableSortedMap.Builder<String, LockMachine> byName = ImmutableSortedMap.naturalOrder();
    LockOptions fitting = options;
    for (String name : sorted) {
      LockNames.check(name);
      Serving one = serving(name, fitting);
      fitting = one.options();
      byName.put(name, one.machine());
    }
    return new ClientMultiLock(fitting, byName.buildOrThrow());
  }

  /** The options of locks that are made without any. */
  public LockOptions defaultOptions() {
    return defaults;
  }

  /** What each server said that no correct server says; the others are absent. */
  public ImmutableMap<ServerId, Suspicions.Evidence> suspicions() {
    return suspicions.evidence();
  }

  /**
   * How often each server denied what enough others granted. Correct servers do so too, when
   * requests cross or are late: it says something of the load, and nothing against a server.
   */
  public ImmutableMap<ServerId, Long> disagreements() {
    return suspicions.disagreements();
  }

  /** Who serves a lock with such options, and with which hold. */
  private Serving serving(String lock, LockOptions options) {
    LockBackend backend = backend(lock, options);
    LockOptions fitting = options.within(backend.maxHold());
    return new Serving(machine(backend, fitting), fitting);
  }

  private LockBackend backend(String lock, LockOptions options) {
    if (table == null) {
      return options.backend().map(this::backendNamed).orElse(firstBackend);
    }
    String bound = table.bindingOf(lock).backend();
    if (bound.equals(BackendTable.CLOSED)) {
      throw new LockRefusedException(lock, "this name is closed while its backend is changed");
    }
    if (options.backend().isPresent() && !options.backend().get().equals(bound)) {
      throw new IllegalArgumentException(
          "The lock '%s' is bound to the backend '%s', not to '%s'; leave the choice out."
              .formatted(lock, bound, options.backend().get()));
    }
    return backendNamed(bound);
  }

  private LockMachine machine(LockOptions options) {
    return machine(options.backend().map(this::backendNamed).orElse(firstBackend), options);
  }

  private LockBackend backendNamed(String name) {
    LockBackend backend = backends.get(name);
    if (backend == null) {
      throw new IllegalArgumentException(
          "This client has the backends %s, not '%s'; choose one of them or add it."
              .formatted(backends.keySet(), name));
    }
    return backend;
  }

  private LockMachine machine(LockBackend backend, LockOptions options) {
    if (options.hold().compareTo(backend.maxHold()) > 0) {
      throw new IllegalArgumentException(
          "A hold of %s is beyond the %s that the servers grant; ask for less and renew it."
              .formatted(Times.words(options.hold()), Times.words(backend.maxHold())));
    }
    Choice choice = new Choice(backend, backend.resolved(options.servers()));
    LockMachine present = started(choice);
    if (present != null) {
      return present;
    }
    // Without the monitor: a backend is not our code, and may take its time.
    LockMachine mine = startMachine(choice);
    LockMachine kept = keepFirst(choice, mine);
    if (kept != mine) {
      mine.close();
    }
    return requireOpen(kept);
  }

  private synchronized @Nullable LockMachine started(Choice choice) {
    if (closed) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
    return machines.get(choice);
  }

  /** The machine that serves from now on; null if the client was closed meanwhile. */
  private synchronized @Nullable LockMachine keepFirst(Choice choice, LockMachine started) {
    if (closed) {
      return null;
    }
    LockMachine earlier = machines.putIfAbsent(choice, started);
    return earlier == null ? started : earlier;
  }

  private static LockMachine requireOpen(@Nullable LockMachine machine) {
    if (machine == null) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
    return machine;
  }

  private LockMachine startMachine(Choice choice) {
    return new LockMachine(choice.backend(), choice.asked(), callbacks, this::told, listener);
  }

  private void told(Event event) {
    suspicions.count(event);
    events.accept(event);
  }

  /**
   * Withdraws all requests and gives all leases back. Whoever still holds one is told that it is
   * lost; calls in progress and later ones fail with a {@code ClosedException}.
   */
  @Override
  public void close() {
    List<LockMachine> toClose;
    synchronized (this) {
      closed = true;
      toClose = List.copyOf(machines.values());
      machines.clear();
    }
    toClose.forEach(LockMachine::close);
    closesConnections.run();
    callbacks.close();
  }

  /** Makes a client. */
  public static final class Builder {
    private final Source source;
    private final List<LockProtocol> backends = new ArrayList<>();
    private @Nullable BackendTable table;
    private RankSeals seals = RankSeals.none();
    private Callbacks callbacks = Callbacks.onOwnThreads("testudo-lock");
    private Consumer<Event> events = event -> {};
    private LockListener listener = LockListener.NONE;
    private @Nullable LockOptions options;
    private boolean closesConnections;

    private Builder(Source source) {
      this.source = source;
    }

    /** Adds a protocol. The first one is used where options name none. */
    public Builder backend(LockProtocol backend) {
      backends.add(backend);
      return this;
    }

    /** Which protocol serves which names, as at the servers; options then name none. */
    public Builder table(BackendTable backendTable) {
      table = backendTable;
      return this;
    }

    /** How ranks are sealed; not at all unless set. */
    public Builder seals(RankSeals rankSeals) {
      seals = rankSeals;
      return this;
    }

    /** The options of locks that are made without any. */
    public Builder options(LockOptions defaults) {
      options = defaults;
      return this;
    }

    /**
     * Where listeners and what is chained to futures run; unless set, on threads of the client,
     * which are as many as it takes: there they may block, also to wait for each other. An executor
     * that runs them at once runs them on the client's loop, where they must not block.
     */
    public Builder executor(Executor executor) {
      callbacks = Callbacks.on(executor);
      return this;
    }

    /** Hears all that the protocol tells, on the client's loop: it must not block. */
    public Builder events(Consumer<Event> listener) {
      events = listener;
      return this;
    }

    /** Hears what becomes of requests. */
    public Builder listener(LockListener lockListener) {
      listener = lockListener;
      return this;
    }

    /** Closes the connections with the client: nobody else uses them. */
    public Builder closesConnections() {
      closesConnections = true;
      return this;
    }

    public LockClient build() {
      return new LockClient(this);
    }
  }
}
