package io.testudo.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.keeping.RecipeBook;
import io.testudo.client.recipes.Barrier;
import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.recipes.FencedSequence;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.ReadWriteLock;
import io.testudo.client.recipes.Semaphore;
import io.testudo.client.status.ClusterStatus;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.client.LockClient;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.objects.LargeMapLayout;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Suspicion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An application's way to a cluster: its locks and its replicated objects. One serves a whole
 * process and all its threads.
 *
 * <pre>{@code
 * try (TestudoClient client = TestudoClient.connect(Path.of("client.conf"))) {
 *   try (Lease lease = client.lock("orders").acquire()) {
 *     long orders = client.counter("orders").increment().join();
 *   }
 * }
 * }</pre>
 */
public final class TestudoClient implements AutoCloseable {
  private final ClusterClient cluster;

  /** Null for threads of its own. */
  private final @Nullable Executor executor;

  /** Not a monitor: who waits for what another starts would pin the carrier of a virtual thread. */
  private final ReentrantLock starting = new ReentrantLock();

  /** Guarded by {@link #starting}, as is what follows; started when they are first needed. */
  private @Nullable LockClient locks;

  private @Nullable ObjectClient objects;

  private @Nullable RecipeKit recipes;

  private boolean closed;

  private final Listeners listeners = new Listeners();

  private final ClientFiles files;

  /** That others use, too; null for those of its own. */
  private final @Nullable ClientLoops loops;

  private TestudoClient(
      ClusterClient cluster,
      @Nullable Executor executor,
      @Nullable ClientLoops loops,
      Supplier<ClientConfig> source) {
    this.cluster = cluster;
    this.executor = executor;
    this.loops = loops;
    this.files = new ClientFiles(cluster, source, listeners);
    files.watch();
  }

  /**
   * Connects as a configuration file says, which {@code testudo init} and {@code testudo client
   * add} write. It does not wait for the servers.
   *
   * @throws io.testudo.quorum.ConfigurationException if a file is missing or cannot be used; it
   *     names the file and the setting, and says what to do
   */
  public static TestudoClient connect(Path clientConf) {
    return builder(clientConf).connect();
  }

  /**
   * Begins to make a client as a configuration file says, with what no file can say, such as the
   * {@linkplain TestudoClientBuilder#threads threads}. What is set here counts more than the file.
   */
  public static TestudoClientBuilder builder(Path clientConf) {
    return new TestudoClientBuilder(clientConf);
  }

  /** Begins to make a client without a configuration file. */
  public static TestudoClientBuilder builder() {
    return new TestudoClientBuilder(null);
  }

  /** On connections that are there, with another executor than usual if there is one. */
  static TestudoClient over(ClusterClient connections, @Nullable Executor executor) {
    return over(connections, executor, null, connections::config);
  }

  /** The same, on threads that others use, too, if there are any; it can read its files again. */
  static TestudoClient over(
      ClusterClient connections,
      @Nullable Executor executor,
      @Nullable ClientLoops loops,
      Supplier<ClientConfig> source) {
    return new TestudoClient(connections, executor, loops, source);
  }

  /** A lock, with the usual options. Each call gives another contender. */
  public DistributedLock lock(String name) {
    return locks().lock(name);
  }

  /**
   * A lock. Each call gives another contender, even with the same name.
   *
   * @throws IllegalArgumentException if no server could grant what the options ask for
   */
  public DistributedLock lock(String name, LockOptions options) {
    return locks().lock(name, options);
  }

  /** Several locks that are acquired together, with the usual options. */
  public MultiLock multiLock(Collection<String> names) {
    return locks().multiLock(names);
  }

  /** Several locks that are acquired together. */
  public MultiLock multiLock(Collection<String> names, LockOptions options) {
    return locks().multiLock(names, options);
  }

  private LockClient locks() {
    starting.lock();
    try {
      if (locks == null) {
        requireOpen();
        locks = cluster.config().isRing() ? ringLocks() : clusterLocks();
      }
      return locks;
    } finally {
      starting.unlock();
    }
  }

  private LockClient clusterLocks() {
    ClientConfig config = cluster.config();
    ClusterDescription description = config.cluster();
    LockClient.Builder builder =
        LockClient.on(cluster.connections(), description.servers(), description.byzantine())
            .seals(cluster.rankSeals())
            .table(config.common().lock().table())
            .events(this::told)
            .listener(listeners);
    config.common().lock().protocols().forEach(builder::backend);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  private LockClient ringLocks() {
    LockClient.Builder builder =
        LockClient.at(cluster.ringClient(loops)).closesConnections().listener(listeners);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  /** What machines tell of servers. */
  private void told(Event event) {
    cluster.told(event);
    if (event instanceof Suspicion suspicion) {
      listeners.suspected(suspicion.server().toString(), suspicion.reason());
    }
  }

  private void requireCluster(String what) {
    if (cluster.config().isRing()) {
      throw new UnsupportedOperationException(
          "The backend %s is that of a ring, which has locks and no %s; use a cluster for these."
              .formatted(cluster.config().common().lock().backend(), what));
    }
  }

  /** Called while starting is locked: nobody would close what {@link #close} has not seen. */
  private void requireOpen() {
    if (closed) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
  }

  /** A number that is counted up and down. */
  public CounterObject counter(String name) {
    return CounterObject.open(objects(), name);
  }

  /** Values by key. */
  public MapObject map(String name) {
    return MapObject.open(objects(), name);
  }

  /**
   * Values by key, more of them than one object can hold: with as many shards as the map has, or
   * {@value LargeMapLayout#DEFAULT_SHARDS} if it is new.
   */
  public LargeMap largeMap(String name) {
    return LargeMap.open(objects(), name);
  }

  /**
   * Values by key, spread over so many objects. The number is fixed when the first value is put:
   * calls fail if the map was made with another one.
   */
  public LargeMap largeMap(String name, int shards) {
    return LargeMap.open(objects(), name, shards);
  }

  /** Values in order, taken once each. */
  public QueueObject queue(String name) {
    return QueueObject.open(objects(), name);
  }

  /** One value. */
  public RegisterObject register(String name) {
    return RegisterObject.open(objects(), name);
  }

  /** Values in order, kept until they are cut off. */
  public LogObject log(String name) {
    return LogObject.open(objects(), name);
  }

  /**
   * An object of a type of one's own. It begins with the initial state of its type when the first
   * operation on it is submitted, by whomever; this call asks no server.
   *
   * @throws IllegalArgumentException if the name is too long, or this client has opened it with
   *     another type
   */
  public <S> ReplicatedObject<S> object(String name, ObjectType<S> type) {
    return objects().open(name, type);
  }

  /**
   * The objects, for classes that open them by themselves.
   *
   * @throws io.testudo.quorum.ConfigurationException if this client lacks the keys that objects are
   *     sealed with
   */
  public ObjectSpace objects() {
    requireCluster("objects");
    starting.lock();
    try {
      if (objects == null) {
        requireOpen();
        objects = newObjects();
      }
      return objects;
    } finally {
      starting.unlock();
    }
  }

  private ObjectClient newObjects() {
    ClientConfig config = cluster.config();
    ClusterDescription description = config.cluster();
    ObjectClient.Builder builder =
        ObjectClient.on(cluster.connections(), description.servers(), description.byzantine())
            .backend(cluster.objectBackend())
            .seals(cluster.objectSeals())
            .timeout(config.timeout())
            .events(this::told);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  /**
   * Contends for the leadership of a name, once it is started; on the lock of that name, which is
   * renewed without end. Each call gives another contender.
   */
  public LeaderElection leaderElection(String name) {
    return leaderElection(name, LockOptions.standard().withEndlessRenewal());
  }

  /** As {@link #leaderElection(String)}, with a hold and a renewal of its own. */
  public LeaderElection leaderElection(String name, LockOptions options) {
    return recipes().leaderElection(lock(name, options.withoutMaxWait()));
  }

  /** Permits of which so many are given out at a time, with the usual options. */
  public Semaphore semaphore(String name, int permits) {
    return semaphore(name, permits, LockOptions.standard());
  }

  /** Permits of which so many are given out at a time; of the options hold, wait and renewal. */
  public Semaphore semaphore(String name, int permits, LockOptions options) {
    return recipes().semaphore(objects(), name, permits, options);
  }

  /** A lock for many readers or one writer, with the usual options. */
  public ReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, LockOptions.standard());
  }

  /** A lock for many readers or one writer; of the options hold, wait and renewal count. */
  public ReadWriteLock readWriteLock(String name, LockOptions options) {
    return recipes().readWriteLock(objects(), name, options);
  }

  /** Where so many parties wait for each other, with the usual options. */
  public Barrier barrier(String name, int parties) {
    return barrier(name, parties, LockOptions.standard());
  }

  /** Where so many parties wait for each other; of the options hold and wait count. */
  public Barrier barrier(String name, int parties, LockOptions options) {
    return recipes().barrier(objects(), name, parties, options);
  }

  /** A number that is counted down to zero once. */
  public CountDownLatch countDownLatch(String name, int count) {
    return recipes().countDownLatch(objects(), name, count);
  }

  /** Growing numbers for holders of a lock who do not come too late. */
  public FencedSequence fencedSequence(String name) {
    return recipes().fencedSequence(objects(), name);
  }

  private RecipeBook recipes() {
    starting.lock();
    try {
      if (recipes == null) {
        requireOpen();
        recipes = RecipeKit.of(cluster.config(), executor);
      }
      return recipes.book();
    } finally {
      starting.unlock();
    }
  }

  /**
   * Asks all servers how they are, for no longer than the configured timeout. A principal without
   * the right to administer learns only who answers.
   */
  public ClusterStatus status() throws InterruptedException {
    return status(cluster.config().timeout());
  }

  /** Asks all servers how they are, for no longer than this. */
  public ClusterStatus status(Duration timeout) throws InterruptedException {
    requireCluster("servers of which a status is known");
    ClusterView view = new Observer(cluster, timeout).look();
    return new ClusterStatus(
        view.servers().stream()
            .map(
                server ->
                    new ClusterStatus.Server(
                        server.server().toString(),
                        server.roundTripNanos().map(Duration::ofNanos),
                        server.status().map(own -> own.version()),
                        server.faults()))
            .toList(),
        view.thresholds().faults(),
        view.hasQuorum());
  }

  /**
   * Reads the client's files again at once, and goes on as they say: addresses of servers, keys,
   * certificates and rights. A client does so by itself some seconds after they have changed,
   * unless {@code reload-every} is zero.
   *
   * @throws io.testudo.quorum.ConfigurationException if a file cannot be used, or says what cannot
   *     change while a client runs; then nothing changes
   */
  public void reload() {
    files.reload();
  }

  /**
   * What this client is made of, for Testudo's own modules: nothing is promised of it.
   *
   * @throws ClassCastException if it is made of no such thing
   */
  public <T> T unwrap(Class<T> type) {
    return type.cast(cluster);
  }

  /**
   * Tells a listener of all requests from now on, until the registration is closed: for metrics and
   * traces. What it throws is logged, and goes no further.
   */
  public Registration listen(ClientListener listener) {
    return listeners.add(listener);
  }

  /** Ends what was registered. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** The principal as which this client is known to the servers. */
  public String principal() {
    return cluster.config().principal();
  }

  /**
   * Gives locks back and ends the connections. Calls in progress and later ones fail with a {@link
   * io.testudo.quorum.ClosedException}.
   */
  @Override
  public void close() {
    LockClient openLocks;
    ObjectClient openObjects;
    RecipeKit openRecipes;
    starting.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      openLocks = locks;
      openObjects = objects;
      openRecipes = recipes;
    } finally {
      starting.unlock();
    }
    if (openRecipes != null) {
      openRecipes.close(); // What they hold is given back by operations.
    }
    if (openLocks != null) {
      openLocks.close();
    }
    if (openObjects != null) {
      openObjects.endTenures();
    }
    cluster.close();
    // After the connections: what servers still answer is then nobody's, and no reason to warn.
    if (openObjects != null) {
      openObjects.close();
    }
  }
}
