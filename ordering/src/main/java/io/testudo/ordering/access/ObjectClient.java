package io.testudo.ordering.access;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.MapMaker;
import io.testudo.mutex.client.Suspicions;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ObjectsListener;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.client.EndTenures;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.typed.AnyObject;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Event;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Gives an application its replicated objects. One serves a whole process: all objects and all
 * threads.
 *
 * <pre>{@code
 * try (ObjectClient client = ObjectClient.connect(cluster, keys, ObjectBackend.standard())) {
 *   CounterObject visits = CounterObject.open(client, "visits");
 *   long now = visits.increment(1).join();
 * }
 * }</pre>
 */
public final class ObjectClient implements ObjectSpace, AutoCloseable {
  /** More objects have no room in one client. */
  public static final int MAX_OBJECTS = 65_536;

  /** The longest that a call may be given. */
  public static final Duration MAX_TIMEOUT = Duration.ofDays(365);

  private static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(10);

  /** Servers tell of changes; this is for what they tell and nobody hears. */
  private static final Duration STANDARD_POLL = Duration.ofSeconds(5);

  /** One for all: it knows nothing of any object. */
  private static final TypedModel<Nothing> ANY = new TypedModel<>(AnyObject.TYPE);

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Operations are named by the session of their connections, so one client has each for ever. */
  private static final Map<NettyClient, Boolean> TAKEN = new MapMaker().weakKeys().makeMap();

  private final NettyClient client;
  private final boolean closesConnections;
  private final ObjectBackend backend;
  private final ObjectSeals seals;
  private final Callbacks callbacks;
  private final Duration timeout;
  private final Duration pollEvery;
  private final Suspicions suspicions = new Suspicions();
  private final Consumer<Event> events;
  private final ClientMachine machine;

  /** Of subscriptions to prefixes, to tell them apart. */
  private final AtomicLong watches = new AtomicLong();

  /** Guarded by this. */
  private final Map<String, ObjectEntry<?>> objects = new HashMap<>();

  private ObjectClient(Builder builder) {
    this.client = builder.client;
    this.closesConnections = builder.closesConnections;
    this.backend = builder.backend;
    this.seals = builder.seals;
    this.callbacks = builder.callbacks;
    this.timeout = builder.timeout;
    this.pollEvery = builder.pollEvery;
    this.events = builder.events;
    var thresholds = backend.thresholds(builder.servers, builder.byzantine);
    checkState(
        TAKEN.putIfAbsent(client, Boolean.TRUE) == null,
        "these connections have or had an object client: share that, or connect anew");
    this.machine =
        client.start(
            backend.clientMachine(
                thresholds, client.principal(), client.session(), seals, RANDOM::nextLong),
            this::told,
            this::stopped);
  }

  /**
   * Begins to make a client on connections that may serve other uses as well, such as a {@code
   * LockClient}. They must speak the {@linkplain ObjectBackend#types types} of the backend, and
   * have at most one object client in their life.
   *
   * @param servers how many servers the cluster has
   * @param byzantine how many of them may lie
   */
  public static Builder on(NettyClient client, int servers, int byzantine) {
    return new Builder(client, servers, byzantine);
  }

  /**
   * Connects to the servers of a cluster whose members share keys, and seals with the group keys.
   * It does not wait for servers.
   *
   * @throws IllegalArgumentException if the keys are for another cluster
   */
  public static ObjectClient connect(
      ClusterDescription cluster, ClientKeyring keys, ObjectBackend backend) {
    ObjectSeals seals = backend.mode() == Mode.PLAIN ? ObjectSeals.none() : ObjectSeals.group(keys);
    return connect(cluster, keys, backend, seals);
  }

  /** Connects to the servers of a cluster whose members share keys, and seals in any way. */
  public static ObjectClient connect(
      ClusterDescription cluster, ClientKeyring keys, ObjectBackend backend, ObjectSeals seals) {
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
          .seals(seals)
          .closesConnections()
          .build();
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  @Override
  public synchronized <S> ReplicatedObject<S> open(String name, ObjectType<S> type) {
    ObjectEntry<?> known = objects.get(ObjectLimits.checkName(name));
    if (known == null) {
      if (objects.size() >= MAX_OBJECTS) {
        throw new OverloadedException("objects open in this client", MAX_OBJECTS);
      }
      known = new ObjectEntry<>(name, new TypedModel<>(type), machine);
      objects.put(name, known);
    }
    if (known.model().type() != type) {
      throw new IllegalArgumentException(
          "'%s' is open as %s, so it cannot be opened as %s; use one ObjectType for it."
              .formatted(name, known.model().type(), type));
    }
    @SuppressWarnings("unchecked") // It has this very type.
    ObjectEntry<S> entry = (ObjectEntry<S>) known;
    return new OpenObject<>(this, entry, timeout);
  }

  @Override
  public synchronized ReplicatedObject<?> any(String name) {
    ObjectEntry<?> known = objects.get(ObjectLimits.checkName(name));
    return known == null
        ? new OpenObject<>(this, new ObjectEntry<>(name, ANY, machine), timeout)
        : new OpenObject<>(this, known, timeout);
  }

  /** An object was deleted: it may be opened with another type. */
  synchronized void forget(ObjectEntry<?> entry) {
    entry.looksAnew();
    if (!entry.isWatched()) {
      objects.remove(entry.name(), entry);
    }
  }

  @Override
  public Subscription watch(String prefix, ObjectsListener listener) {
    if (!prefix.isEmpty()) {
      String unused = ObjectLimits.checkName(prefix);
    }
    NamesSubscription subscription =
        new NamesSubscription(
            machine, callbacks, prefix, watches.incrementAndGet(), pollEvery, listener);
    subscription.await();
    return subscription;
  }

  static Duration checkTimeout(Duration limit) {
    if (limit.isNegative() || limit.isZero() || limit.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "A timeout of %s is not positive and at most a year; choose another.".formatted(limit));
    }
    return limit;
  }

  ClientMachine machine() {
    return machine;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  Duration pollEvery() {
    return pollEvery;
  }

  /** What each server said that no correct server says; the others are absent. */
  public ImmutableMap<ServerId, Suspicions.Evidence> suspicions() {
    return suspicions.evidence();
  }

  private void told(Event event) {
    suspicions.count(event);
    events.accept(event);
  }

  private void stopped() {
    List<ObjectEntry<?>> open;
    synchronized (this) {
      open = List.copyOf(objects.values());
    }
    open.forEach(entry -> entry.endWatches(new ClosedException(Outcome.DID_NOT_HAPPEN)));
  }

  /**
   * Ends the client. Calls in progress fail with a {@code ClosedException}; their operations may
   * still happen, since others may order them.
   */
  @Override
  public void close() {
    endTenures();
    machine.close();
    if (closesConnections) {
      client.close();
    }
    callbacks.close();
  }

  /**
   * Lets others order at once what this client would have ordered: to be called before connections
   * are closed that serve other uses as well, or they find out after a while.
   */
  public void endTenures() {
    // Answered when it is on its way: closing must not overtake it.
    Boolean unused = machine.call(new EndTenures()).exceptionally(failure -> false).join();
  }

  /** Makes a client. */
  public static final class Builder {
    private final NettyClient client;
    private final int servers;
    private final int byzantine;
    private ObjectBackend backend = ObjectBackend.standard();
    private ObjectSeals seals = ObjectSeals.none();
    private Callbacks callbacks = Callbacks.onOwnThreads("testudo-object");
    private Duration timeout = STANDARD_TIMEOUT;
    private Duration pollEvery = STANDARD_POLL;
    private Consumer<Event> events = event -> {};
    private boolean closesConnections;

    private Builder(NettyClient client, int servers, int byzantine) {
      this.client = client;
      this.servers = servers;
      this.byzantine = byzantine;
    }

    /** The protocol; everything sealed unless set. The servers must have the same. */
    public Builder backend(ObjectBackend choice) {
      backend = choice;
      return this;
    }

    /** How statements are sealed. */
    public Builder seals(ObjectSeals choice) {
      seals = choice;
      return this;
    }

    /** After which calls fail unless they say otherwise; ten seconds unless set. */
    public Builder timeout(Duration limit) {
      timeout = checkTimeout(limit);
      return this;
    }

    /**
     * How often listeners on versions make the client ask servers that have not told of a change;
     * every five seconds unless set.
     */
    public Builder pollEvery(Duration pause) {
      pollEvery = checkTimeout(pause);
      return this;
    }

    /**
     * Where listeners, views and what is chained to futures run; unless set, on threads of the
     * client, which are as many as it takes: there they may block, also to wait for each other. An
     * executor that runs them at once runs them on the client's loop, where they must not block.
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

    /** Closes the connections with the client: nobody else uses them. */
    public Builder closesConnections() {
      closesConnections = true;
      return this;
    }

    /**
     * Makes the client.
     *
     * @throws io.testudo.quorum.QuorumConfigurationException if the mode needs more servers
     */
    public ObjectClient build() {
      return new ObjectClient(this);
    }
  }
}
