package io.testudo.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ClusterView;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
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
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LargeMap;
import io.testudo.ordering.objects.LargeMapLayout;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.quorum.netty.ClientLoops;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executor;
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

  private final Listeners listeners = new Listeners();
  private final StartedParts parts;
  private final ClientFiles files;

  private TestudoClient(
      ClusterClient cluster,
      @Nullable Executor executor,
      @Nullable ClientLoops loops,
      Supplier<ClientConfig> source) {
    this.cluster = cluster;
    this.parts = new StartedParts(cluster, listeners, executor, loops);
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
    return parts.locks().lock(name);
  }

  /**
   * A lock. Each call gives another contender, even with the same name.
   *
   * @throws IllegalArgumentException if no server could grant what the options ask for
   */
  public DistributedLock lock(String name, LockOptions options) {
    return parts.locks().lock(name, options);
  }

  /** Several locks that are acquired together, with the usual options. */
  public MultiLock multiLock(Collection<String> names) {
    return parts.locks().multiLock(names);
  }

  /** Several locks that are acquired together. */
  public MultiLock multiLock(Collection<String> names, LockOptions options) {
    return parts.locks().multiLock(names, options);
  }

  private void requireCluster(String what) {
    if (cluster.config().isRing()) {
      throw new UnsupportedOperationException(
          "The backend %s is that of a ring, which has locks and no %s; use a cluster for these."
              .formatted(cluster.config().common().lock().backend(), what));
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
    return parts.objects();
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
    return parts.recipes().leaderElection(lock(name, options.withoutMaxWait()));
  }

  /** Permits of which so many are given out at a time, with the usual options. */
  public Semaphore semaphore(String name, int permits) {
    return semaphore(name, permits, LockOptions.standard());
  }

  /** Permits of which so many are given out at a time; of the options hold, wait and renewal. */
  public Semaphore semaphore(String name, int permits, LockOptions options) {
    return parts.recipes().semaphore(objects(), name, permits, options);
  }

  /** A lock for many readers or one writer, with the usual options. */
  public ReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, LockOptions.standard());
  }

  /** A lock for many readers or one writer; of the options hold, wait and renewal count. */
  public ReadWriteLock readWriteLock(String name, LockOptions options) {
    return parts.recipes().readWriteLock(objects(), name, options);
  }

  /** Where so many parties wait for each other, with the usual options. */
  public Barrier barrier(String name, int parties) {
    return barrier(name, parties, LockOptions.standard());
  }

  /** Where so many parties wait for each other; of the options hold and wait count. */
  public Barrier barrier(String name, int parties, LockOptions options) {
    return parts.recipes().barrier(objects(), name, parties, options);
  }

  /** A number that is counted down to zero once. */
  public CountDownLatch countDownLatch(String name, int count) {
    return parts.recipes().countDownLatch(objects(), name, count);
  }

  /** Growing numbers for holders of a lock who do not come too late. */
  public FencedSequence fencedSequence(String name) {
    return parts.recipes().fencedSequence(objects(), name);
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
    parts.close();
  }
}
