package io.testudo.quorum.embedded;

import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster on this machine, in this process or in child processes, on free ports of the
 * loopback address, with real sockets and authenticated connections: for tests, examples and
 * development. It ends with this process, however that ends.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** The name of such clusters, which their keys are for. */
  public static final String NAME = "embedded";

  private static final String SECRET_FILE = "cluster.secret";
  private static final Set<String> ALL_NAMES = Set.of("");

  private final int size;
  private final WireTypes types;
  private final LinkLimits limits;
  private final ClusterSecrets secrets;
  private final ServerPlacement placement;

  /** Not a monitor: servers start and end while it is held, for which virtual threads may wait. */
  private final ReentrantLock changing = new ReentrantLock();

  private final List<ServerPlacement.@Nullable PlacedServer> servers = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<NettyClient> clients = new ArrayList<>();

  private EmbeddedCluster(
      int size,
      WireTypes types,
      LinkLimits limits,
      ClusterSecrets secrets,
      ServerPlacement placement) {
    this.size = size;
    this.types = types;
    this.limits = limits;
    this.secrets = secrets;
    this.placement = placement;
  }

  /**
   * Starts a cluster in this process.
   *
   * @param machines makes the machines of a server as they are at each start
   */
  public static EmbeddedCluster start(
      int servers, WireTypes types, Function<ServerId, List<Machine<ClientId>>> machines) {
    return start(servers, types, machines, LinkLimits.standard());
  }

  /** Starts a cluster in this process with limits of its own. */
  public static EmbeddedCluster start(
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines,
      LinkLimits limits) {
    return startHere(servers, types, machines, limits, Gate.everybody(), Disks.inMemory(), fresh());
  }

  /** Starts a cluster in this process in which not everybody may do everything. */
  public static EmbeddedCluster start(
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines,
      Gate gate) {
    return startHere(
        servers, types, machines, LinkLimits.standard(), gate, Disks.inMemory(), fresh());
  }

  /**
   * Starts a cluster in this process that keeps its journals and its keys in files: a cluster that
   * is started in the same directory later goes on where this one ended.
   */
  public static EmbeddedCluster startIn(
      Path directory,
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines) {
    return startIn(directory, servers, types, machines, Gate.everybody());
  }

  /** The same, and not everybody may do everything. */
  public static EmbeddedCluster startIn(
      Path directory,
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines,
      Gate gate) {
    return startHere(
        servers,
        types,
        machines,
        LinkLimits.standard(),
        gate,
        Disks.in(directory),
        secretsIn(directory));
  }

  private static ClusterSecrets fresh() {
    return ClusterSecrets.create(new SecureRandom());
  }

  private static ClusterSecrets secretsIn(Path directory) {
    Path file = directory.resolve(SECRET_FILE);
    try {
      if (Files.exists(file)) {
        return ClusterSecrets.read(file);
      }
      Files.createDirectories(directory);
      ClusterSecrets secrets = fresh();
      secrets.write(file);
      return secrets;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedCluster startHere(
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines,
      LinkLimits limits,
      Gate gate,
      Disks disks,
      ClusterSecrets secrets) {
    ServerPlacement placement =
        new ServersInProcess(
            id -> secrets.serverKeyring(NAME, id),
            types,
            machines,
            gate,
            limits,
            disks,
            broken -> {});
    return start(new EmbeddedCluster(servers, types, limits, secrets, placement));
  }

  /**
   * Starts a cluster whose servers are child processes, one each, with the Java and the classes of
   * this process. They keep their journals in files, as with {@link #startIn}.
   */
  public static EmbeddedCluster startProcesses(Path directory, int servers, ServerProgram program) {
    ClusterSecrets secrets = fresh();
    ServerPlacement placement = new ServersInChildren(NAME, secrets, directory, servers, program);
    return start(
        new EmbeddedCluster(servers, program.types(), LinkLimits.standard(), secrets, placement));
  }

  private static EmbeddedCluster start(EmbeddedCluster cluster) {
    try {
      // First all are begun: processes take long to start, and can do so side by side.
      for (ServerId id : ServerSet.firstN(cluster.size)) {
        cluster.servers.add(cluster.placement.begin(id, 0));
      }
      for (ServerPlacement.@Nullable PlacedServer begun : cluster.servers) {
        if (begun != null) {
          cluster.addresses.add(begun.awaitReady());
        }
      }
    } catch (RuntimeException | IOException e) {
      cluster.close();
      throw new IllegalStateException("an embedded cluster did not start", e);
    }
    return cluster;
  }

  /** The keys of a principal, by which it also seals whatever names it likes. */
  public ClientKeyring keyring(String principal) {
    return secrets.clientKeyring(NAME, principal, size, ALL_NAMES);
  }

  /** A new client process, as it were: a session of its own, and a connection to each server. */
  public NettyClient client(String principal) {
    changing.lock();
    try {
      NettyClient client =
          NettyClient.connect(addresses, ClientCredentials.hmac(keyring(principal)), limits, types);
      clients.add(client);
      return client;
    } finally {
      changing.unlock();
    }
  }

  /** Ends a server at once; its journal stays. */
  public void stop(ServerId id) {
    changing.lock();
    try {
      ServerPlacement.PlacedServer server = servers.set(id.index(), null);
      if (server != null) {
        server.stop();
      }
    } finally {
      changing.unlock();
    }
  }

  /**
   * Ends a server as {@code kill -9} does, if it is a process of its own; else as {@link #stop}.
   */
  public void kill(ServerId id) {
    changing.lock();
    try {
      ServerPlacement.PlacedServer server = servers.set(id.index(), null);
      if (server != null) {
        server.kill();
      }
    } finally {
      changing.unlock();
    }
  }

  /** Starts a stopped or killed server again, at the same address and with its journal. */
  public void restart(ServerId id) {
    changing.lock();
    try {
      checkState(servers.get(id.index()) == null, "%s is running", id);
      try {
        ServerPlacement.PlacedServer begun = placement.begin(id, address(id).getPort());
        var unused = begun.awaitReady();
        servers.set(id.index(), begun);
      } catch (IOException e) {
        throw new IllegalStateException(id + " did not start again", e);
      }
    } finally {
      changing.unlock();
    }
  }

  /** A running server; only of a cluster in this process. */
  public NettyServer server(ServerId id) {
    changing.lock();
    try {
      ServerPlacement.PlacedServer running = servers.get(id.index());
      checkState(running != null, "%s is stopped", id);
      return running.server();
    } finally {
      changing.unlock();
    }
  }

  /** Where a server listens, or listened. */
  public InetSocketAddress address(ServerId id) {
    return addresses.get(id.index());
  }

  @Override
  public void close() {
    List<NettyClient> toClose;
    changing.lock();
    try {
      toClose = List.copyOf(clients);
    } finally {
      changing.unlock();
    }
    toClose.forEach(NettyClient::close); // They wait for their loops.
    end();
  }

  private void end() {
    changing.lock();
    try {
      for (int index = 0; index < servers.size(); index++) {
        stop(new ServerId(index));
      }
      servers.clear();
      placement.close();
      secrets.close();
    } finally {
      changing.unlock();
    }
  }
}
