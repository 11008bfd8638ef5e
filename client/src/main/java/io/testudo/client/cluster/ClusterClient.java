package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Reporter;
import io.testudo.client.inquiry.Suspect;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Suspicion;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client process to all servers, as its configuration says, and what can be
 * asked on them beside locks and objects.
 */
public final class ClusterClient implements AutoCloseable {
  private static final Duration SOON = Duration.ofMillis(500);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final NettyClient connections;
  private final HostResolver resolver;
  private final SealsInUse seals;

  /** As it was read last. */
  private volatile ClientConfig config;

  /** Not a monitor: keys are read while it is held. */
  private final ReentrantLock taking = new ReentrantLock();

  /** Where there is one instead of a cluster; guarded by {@link #taking}. */
  private @Nullable RingNode ring;

  private final Thresholds thresholds;
  private final ClientMachine reporter;
  private final ServerQuestions questions;

  private final ReentrantLock starting = new ReentrantLock();

  /** Guarded by {@link #starting}; started when it is first needed. */
  private @Nullable ClientMachine pinger;

  private ClusterClient(ClientConfig config, NettyClient connections, HostResolver resolver) {
    this.config = config;
    this.connections = connections;
    this.resolver = resolver;
    this.seals = new SealsInUse(connections);
    this.thresholds =
        Need.PING.thresholds(config.cluster().servers(), config.cluster().byzantine());
    this.reporter = connections.start(new Reporter(config.cluster().servers()), event -> {});
    this.questions = new ServerQuestions(connections, config.cluster().servers());
  }

  /** Connects; it does not wait for the servers. */
  public static ClusterClient connect(ClientConfig config) {
    return connect(config, null, HostResolver.ofSystem());
  }

  /**
   * Connects; it does not wait for the servers.
   *
   * @param loops that others use, too; null for one of its own
   * @param resolver says where servers are
   */
  public static ClusterClient connect(
      ClientConfig config, @Nullable ClientLoops loops, HostResolver resolver) {
    ClusterDescription cluster = config.cluster();
    if (!cluster.endpoints().stream().allMatch(it -> InetAddresses.isInetAddress(it.host()))) {
      HostResolver.warnIfRememberedForEver();
    }
    ClientCredentials credentials = config.credentials().client(cluster, config.principal());
    try {
      return new ClusterClient(
          config,
          NettyClient.connect(
              loops,
              dialled(config),
              resolver,
              credentials,
              LinkLimits.standard(),
              ServerMachines.types(config.common())),
          resolver);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("%s: %s".formatted(config.file(), e.getMessage()), e);
    }
  }

  /** A ring is not dialled as servers are. */
  private static ImmutableList<Endpoint> dialled(ClientConfig config) {
    return config.isRing() ? ImmutableList.of() : config.cluster().endpoints();
  }

  /** On connections that are there, wherever the configuration says that the servers are. */
  public static ClusterClient on(NettyClient connections, ClientConfig config) {
    return new ClusterClient(config, connections, HostResolver.ofSystem());
  }

  /**
   * Goes on as a configuration says that was read again; its keys are read here. Connections, locks
   * and operations in progress go on.
   *
   * @return what has changed, in words
   * @throws ConfigurationException if something has that cannot change; then nothing is taken
   */
  public ImmutableList<String> take(ClientConfig unread) {
    return alone(() -> taken(unread));
  }

  private ImmutableList<String> taken(ClientConfig unread) {
    ConfigChange.requirePossible(config, unread); // First: keys are for what is as before.
    ClientConfig fresh = unread.withKeysRead();
    ConfigChange change = ConfigChange.between(config, fresh);
    ClientCredentials shown =
        change.credentials() ? fresh.credentials().client(fresh.cluster(), principal()) : null;
    Runnable exchange = change.seals() ? seals.prepare(fresh) : () -> {};
    try {
      // Others would not know what is sealed by keys that a connection has not told of.
      var unused = connections.replace(dialled(fresh), shown);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("%s: %s".formatted(fresh.file(), e.getMessage()), e);
    }
    exchange.run();
    if (ring != null) {
      ring.enterAt(fresh.cluster().endpoints());
      if (shown != null) {
        ring.peer().use(shown);
      }
    }
    config = fresh;
    return change.taken();
  }

  private String principal() {
    return config.principal();
  }

  /** How ranks of locks are sealed, by the keys that count at any time. */
  public RankSeals rankSeals() {
    return alone(() -> seals.ofLocks(config));
  }

  /** How what is said of objects is sealed, by the keys that count at any time. */
  public ObjectSeals objectSeals() {
    return alone(() -> seals.ofObjects(config));
  }

  public ClientConfig config() {
    return config;
  }

  /** The connections, for other uses of them. */
  public NettyClient connections() {
    return connections;
  }

  /** How objects are kept, as the configuration says. */
  public ObjectBackend objectBackend() {
    return ConfiguredObjects.backend(config);
  }

  /** What speaks against a server is reported to all of them: a later look shows it. */
  public void told(Event event) {
    if (event instanceof Outvoted outvoted) {
      note(outvoted.server(), Suspect.Kind.OUTVOTED, "denied the lock '" + outvoted.lock() + "'");
    } else if (event instanceof Suspicion suspicion) {
      note(suspicion.server(), Suspect.Kind.CONTRADICTION, suspicion.reason());
    }
  }

  /** Reports to all servers that one of them said what no correct server says. */
  public void report(ServerId server, String evidence) {
    note(server, Suspect.Kind.CONTRADICTION, evidence);
  }

  /** A client beside the ring that the configuration is for. */
  public RingNode ringClient(@Nullable ClientLoops loops) {
    return alone(() -> newRing(loops));
  }

  /** No change of the configuration is taken meanwhile. */
  private <R> R alone(Supplier<R> work) {
    taking.lock();
    try {
      return work.get();
    } finally {
      taking.unlock();
    }
  }

  private RingNode newRing(@Nullable ClientLoops loops) {
    ClusterDescription cluster = config.cluster();
    ring =
        RingNode.client(
            loops,
            resolver,
            config.credentials().client(cluster, config.principal()),
            LinkLimits.standard(),
            config.common().lock().ring().orElseThrow(),
            cluster.endpoints());
    return ring;
  }

  private void note(ServerId server, Suspect.Kind kind, String detail) {
    OngoingCall unused =
        reporter.call(new Reporter.Note(Suspect.of(server, kind, detail)), Unheard.INSTANCE);
  }

  /** How many servers may fail, and how many must say the same to be believed. */
  public Thresholds thresholds() {
    return thresholds;
  }

  /**
   * Asks every server for a sign of life.
   *
   * @param rest how long to wait after the first answer
   * @throws NoQuorumException if fewer than a quorum give one in time
   */
  public SurveyResult survey(Duration timeout, Duration rest) throws InterruptedException {
    return ServerQuestions.await(
        pinger().call(new Survey(Survey.Await.ALL, timeout.toNanos(), rest.toNanos())));
  }

  /** Which servers grant no locks because of a restart, in words, with when they will. */
  public Optional<String> whoGrantsLater() throws InterruptedException {
    if (config.isRing()) {
      return Optional.empty();
    }
    try {
      List<ServerView> quiet =
          survey(SOON.multipliedBy(4), SOON).servers().stream()
              .filter(view -> view.quietMillis() > 0 && !view.awaitsOperator())
              .toList();
      if (quiet.isEmpty()) {
        return Optional.empty();
      }
      long millis = quiet.stream().mapToLong(ServerView::quietMillis).max().orElse(0);
      return Optional.of(
          "%s restarted and grant locks from %s on, in %d s, when all leases from before are over"
              .formatted(
                  quiet.stream()
                      .map(view -> view.server().toString())
                      .collect(Collectors.joining(", ")),
                  Instant.now().plusMillis(millis).truncatedTo(ChronoUnit.SECONDS),
                  millis / 1_000 + 1));
    } catch (NoQuorumException e) {
      return Optional.empty(); // That is what there is to tell, then.
    }
  }

  private ClientMachine pinger() {
    starting.lock();
    try {
      if (pinger == null) {
        pinger =
            connections.start(
                new PingClient(
                    thresholds, ServerQuestions.RETRY_NANOS, RANDOM::nextLong, mayAdminister()),
                this::told);
      }
      return pinger;
    } finally {
      starting.unlock();
    }
  }

  /** Whether servers tell this client about themselves, and believe it what it says of them. */
  public boolean mayAdminister() {
    return config.cluster().rights().allows(config.principal(), Right.ADMINISTER, "");
  }

  /** What is asked of every server, beside signs of life. */
  public ServerQuestions questions() {
    return questions;
  }

  /** How many servers are connected, and what is known of the others. */
  public String states() {
    if (config.isRing()) {
      return "the ring is entered at "
          + config.cluster().endpoints().stream()
              .map(Endpoint::toString)
              .collect(Collectors.joining(", "));
    }
    int connected = connections.connections();
    String all = "%d of %d servers are connected".formatted(connected, config.cluster().servers());
    return connected == config.cluster().servers()
        ? all
        : connections.states().entrySet().stream()
            .filter(state -> !state.getValue().startsWith(NettyClient.CONNECTED))
            .map(state -> state.getKey() + " " + state.getValue())
            .collect(Collectors.joining("; ", all + " (", ")"));
  }

  /** Sends what is still to be reported, and ends the connections. */
  @Override
  public void close() {
    // Answered when it is on its way: closing must not overtake it.
    Boolean unused = reporter.call(new Reporter.Flush()).exceptionally(failure -> false).join();
    connections.close();
  }
}
