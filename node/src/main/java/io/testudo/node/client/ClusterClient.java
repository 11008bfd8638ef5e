package io.testudo.node.client;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.LockClient;
import io.testudo.node.CommandException;
import io.testudo.node.config.ClientConfig;
import io.testudo.node.config.LockBackends;
import io.testudo.node.config.LockSettings;
import io.testudo.node.server.Halves;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A client process of a cluster, as its configuration says. */
public final class ClusterClient implements AutoCloseable {
  private final ClientConfig config;
  private final NettyClient connections;

  /** Guarded by this; started when the first lock is asked for. */
  private @Nullable LockClient locks;

  private ClusterClient(ClientConfig config, NettyClient connections) {
    this.config = config;
    this.connections = connections;
  }

  /** Connects; it does not wait for the servers. */
  public static ClusterClient connect(ClientConfig config) {
    ClusterDescription cluster = config.cluster();
    ImmutableList<InetSocketAddress> addresses =
        cluster.endpoints().stream()
            .map(endpoint -> new InetSocketAddress(endpoint.host(), endpoint.port()))
            .collect(ImmutableList.toImmutableList());
    return new ClusterClient(
        config,
        NettyClient.connect(
            addresses,
            config.credentials().client(cluster, config.principal()),
            LinkLimits.standard(),
            Halves.types(config.common())));
  }

  public ClientConfig config() {
    return config;
  }

  /** The connections, for other uses of them. */
  public NettyClient connections() {
    return connections;
  }

  /** A lock, by the protocol that its name has. */
  public DistributedLock lock(String name, LockOptions options) {
    LockSettings settings = config.common().lock();
    return locks().lock(name, options.withBackend(settings.backendOf(name)));
  }

  private synchronized LockClient locks() {
    if (locks == null) {
      ClusterDescription cluster = config.cluster();
      LockClient.Builder builder =
          LockClient.on(connections, cluster.servers(), cluster.byzantine())
              .seals(config.credentials().seals(cluster, config.principal()));
      LockBackends.of(config.common().lock()).forEach(builder::backend);
      locks = builder.build();
    }
    return locks;
  }

  /**
   * A failure in words for the user, with what to do.
   *
   * @param exitCode what the process is to end with
   */
  public CommandException explain(TestudoException failure, int exitCode) {
    if (!(failure instanceof NoQuorumException)) {
      return new CommandException(exitCode, String.valueOf(failure.getMessage()), failure);
    }
    int connected = connections.connections();
    int servers = config.cluster().servers();
    String hint =
        connected == servers
            ? "all are connected, so see that %s has the right to it there"
                .formatted(config.principal())
            : "%d of %d are connected, so see that the others run".formatted(connected, servers);
    return new CommandException(
        exitCode,
        "%s; %s ('testudo doctor' tells more)".formatted(failure.getMessage(), hint),
        failure);
  }

  /** Gives locks back and ends the connections. */
  @Override
  public void close() {
    LockClient open;
    synchronized (this) {
      open = locks;
    }
    if (open != null) {
      open.close();
    }
    connections.close();
  }
}
