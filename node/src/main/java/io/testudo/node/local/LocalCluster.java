package io.testudo.node.local;

import io.testudo.node.config.ServerConfig;
import io.testudo.node.server.Journals;
import io.testudo.node.server.ServerNode;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All servers of a cluster that was made in a directory, in this process, each as its configuration
 * says. Single servers may be ended and started again.
 */
public final class LocalCluster implements AutoCloseable {
  private final ClusterDirectory directory;
  private final boolean inMemory;
  private final BiConsumer<String, Throwable> whenBroken;
  private final ServerLoops loops = ServerLoops.start(1);
  private final Map<ServerId, Journals> journals = new HashMap<>();
  private final List<@Nullable ServerNode> nodes = new ArrayList<>();

  private LocalCluster(
      ClusterDirectory directory, boolean inMemory, BiConsumer<String, Throwable> whenBroken) {
    this.directory = directory;
    this.inMemory = inMemory;
    this.whenBroken = whenBroken;
  }

  /**
   * Starts all servers.
   *
   * @param inMemory whether they forget everything with this process, else they use their journals
   * @param whenBroken hears of a machine that failed
   */
  public static LocalCluster start(
      ClusterDirectory directory,
      int servers,
      boolean inMemory,
      BiConsumer<String, Throwable> whenBroken) {
    LocalCluster cluster = new LocalCluster(directory, inMemory, whenBroken);
    try {
      for (ServerId server : ServerSet.firstN(servers)) {
        cluster.nodes.add(null);
        cluster.start(server);
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts a server that was ended, with what it has kept. */
  public synchronized void start(ServerId server) {
    ServerConfig config = ServerConfig.read(directory.serverConfig(server));
    Journals own = journals.computeIfAbsent(server, any -> journalsOf(config));
    nodes.set(server.index(), ServerNode.start(config, own, loops, whenBroken));
  }

  private Journals journalsOf(ServerConfig config) {
    return inMemory
        ? Journals.inMemory()
        : Journals.in(
            config.data(),
            config.cluster().name(),
            config.self(),
            JournalOptions.defaults().withSurvives(config.survives()),
            Enrolment.EXPECTED);
  }

  /** A server that runs. */
  public synchronized ServerNode node(ServerId server) {
    return Objects.requireNonNull(nodes.get(server.index()), "it was ended");
  }

  /** Ends a server at once; does nothing if it has ended. */
  public synchronized void stop(ServerId server) {
    ServerNode node = nodes.set(server.index(), null);
    if (node != null) {
      node.close();
    }
  }

  @Override
  public synchronized void close() {
    for (int index = 0; index < nodes.size(); index++) {
      stop(new ServerId(index));
    }
    loops.close();
  }
}
