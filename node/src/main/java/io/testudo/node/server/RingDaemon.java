package io.testudo.node.server;

import com.google.common.collect.ImmutableList;
import io.testudo.client.config.WatchedFiles;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.node.CommandException;
import io.testudo.node.Signals;
import io.testudo.node.config.LogSettings;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.log.Logging;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.FatalHandler;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member of a ring that lives as a process: it hears signals, and says goodbye when it ends. */
public final class RingDaemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RingDaemon.class);

  /** What a daemon waits for. */
  private enum Occasion {
    STOP,
    RELOAD,
    JOINED
  }

  private final RingMemberConfig config;
  private final ServerLoops loops;
  private final RingNode node;
  private final long startedNanos = System.nanoTime();
  private volatile ClusterDescription cluster;

  /** Whether the cluster file says where it joins, and not the command. */
  private final boolean namesEntrances;

  /** Of the key files as they were read. */
  private String keysPrint;

  private @Nullable AdminEndpoint admin;
  private final BlockingQueue<Occasion> occasions = new LinkedBlockingQueue<>();
  private final ReloadRounds<Occasion> rounds;

  private RingDaemon(RingMemberConfig config, List<Endpoint> entrances, boolean namesEntrances) {
    this.config = config;
    this.cluster = config.cluster();
    this.rounds = new ReloadRounds<>(occasions, config.watched());
    this.keysPrint = print(config);
    this.namesEntrances = namesEntrances;
    this.loops = ServerLoops.start(1);
    try {
      this.node =
          RingNode.member(
              loops,
              config.credentials(),
              Gate.of(() -> cluster.rights(), () -> cluster.epochs()),
              config.limits(),
              config.protocol(),
              new InetSocketAddress(config.listen().host(), config.listen().port()),
              config.address(),
              entrances,
              () -> FatalHandler.halt(new IllegalStateException("the node broke")));
    } catch (BindException | RuntimeException e) {
      loops.close();
      throw new CommandException(
          "The member %s could not start: %s".formatted(config.member(), e.getMessage()), e);
    }
  }

  /**
   * Starts a member. It listens when this returns, and looks for its place.
   *
   * @param founds whether it begins a ring of its own
   * @param named members through which it joins; those of the cluster file if there are none
   * @throws CommandException if it cannot start, with what to do
   */
  public static RingDaemon start(Path file, boolean founds, List<Endpoint> named) {
    RingMemberConfig config = RingMemberConfig.read(file);
    use(config.log());
    RingDaemon daemon = open(config, founds, named);
    try {
      config.admin().ifPresent(daemon::tellOperators);
    } catch (CommandException e) {
      daemon.close();
      throw e;
    }
    daemon.ownTheProcess();
    return daemon;
  }

  /** The same in a process that is not its own. */
  static RingDaemon open(RingMemberConfig config, boolean founds, List<Endpoint> named) {
    return new RingDaemon(
        config, founds ? ImmutableList.of() : others(config, named), named.isEmpty());
  }

  /** Answers operators there. */
  void tellOperators(Endpoint where) {
    admin = AdminEndpoint.start(where, this);
  }

  RingMemberConfig config() {
    return config;
  }

  long uptimeNanos() {
    return System.nanoTime() - startedNanos;
  }

  int principals() {
    return cluster.rights().principals().size();
  }

  RingNode node() {
    return node;
  }

  private static ImmutableList<Endpoint> others(RingMemberConfig config, List<Endpoint> named) {
    ImmutableList<Endpoint> others =
        elsewhere(config, named.isEmpty() ? config.cluster().endpoints() : named);
    if (others.isEmpty()) {
      throw new CommandException(
          "%s knows no other member to join through; name one with --ring HOST:PORT, or found a ring with --ring new."
              .formatted(config.member()));
    }
    return others;
  }

  private static ImmutableList<Endpoint> elsewhere(RingMemberConfig config, List<Endpoint> all) {
    return all.stream()
        .filter(endpoint -> !endpoint.equals(config.address()))
        .collect(ImmutableList.toImmutableList());
  }

  private static void use(LogSettings log) {
    Logging.use(log.level().name(), log.format() == LogSettings.Format.JSON);
  }

  private void ownTheProcess() {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> FatalHandler.halt(cause));
    boolean term = Signals.onSignal("TERM", () -> occasions.add(Occasion.STOP));
    boolean interrupt = Signals.onSignal("INT", () -> occasions.add(Occasion.STOP));
    boolean hangUp = Signals.onSignal("HUP", () -> occasions.add(Occasion.RELOAD));
    if (!term || !interrupt || !hangUp) {
      LOG.warn("this Java does not hear all signals: the member may not stop or reload in order");
    }
    var unused = node.whenReady().thenAccept(id -> occasions.add(Occasion.JOINED));
  }

  public String ring() {
    return cluster.name();
  }

  public String member() {
    return config.member();
  }

  /** Where operators reach it, if anywhere. */
  public @Nullable String admin() {
    return admin == null ? null : config.admin().map(Object::toString).orElse(null);
  }

  public String address() {
    return config.address().toString();
  }

  /**
   * Waits until the member is told to stop. One that breaks ends the process instead.
   *
   * @param joined told when it has found its place
   */
  public void await(Runnable joined) throws InterruptedException {
    while (true) {
      switch (rounds.next(Occasion.RELOAD)) {
        case STOP -> {
          LOG.info("says goodbye");
          return;
        }
        case RELOAD -> rounds.read(this::reload);
        case JOINED -> joined.run();
      }
    }
  }

  /**
   * Takes rights, entrances and keys. Connections go on until those that follow them stand.
   *
   * @throws ConfigurationException if something cannot be used, or cannot change; then nothing is
   *     taken
   */
  WatchedFiles reload() {
    RingMemberConfig fresh = RingMemberConfig.read(config.file());
    if (!fresh.member().equals(config.member())
        || !fresh.cluster().name().equals(cluster.name())
        || fresh.cluster().security() != cluster.security()
        || !fresh.protocol().equals(config.protocol())) {
      throw new ConfigurationException(
          "%s: the member, the name of the ring, its security and its protocol cannot change while a member runs; restart it, or undo the change."
              .formatted(config.file()));
    }
    String print = print(fresh);
    if (!print.equals(keysPrint)) {
      node.peer().use(fresh.credentials());
      keysPrint = print;
    }
    if (namesEntrances) {
      node.enterAt(elsewhere(fresh, fresh.cluster().endpoints()));
    }
    cluster = fresh.cluster();
    node.peer().rightsChanged();
    LOG.info("took the rights of {} principals", cluster.rights().principals().size());
    return fresh.watched();
  }

  private static String print(RingMemberConfig of) {
    return of.shared().print() + of.own().print() + of.cluster().epochs();
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close();
    }
    node.close();
    loops.close();
  }
}
