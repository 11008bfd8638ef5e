package io.testudo.quorum.embedded;

import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in this process, on free ports of the loopback address, with real sockets and
 * authenticated connections: for tests, examples and development. Its keys are drawn anew each time
 * and are nowhere stored.
 */
public final class EmbeddedCluster implements AutoCloseable {
  private static final String NAME = "embedded";

  private final int size;
  private final WireTypes types;
  private final Function<ServerId, List<Machine<ClientId>>> halves;
  private final LinkLimits limits;
  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final Disks disks;
  private final List<@Nullable NettyServer> servers = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<NettyClient> clients = new ArrayList<>();

  private EmbeddedCluster(
      int size,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> halves,
      LinkLimits limits,
      Disks disks) {
    this.size = size;
    this.types = types;
    this.halves = halves;
    this.limits = limits;
    this.disks = disks;
  }

  /**
   * Starts a cluster.
   *
   * @param halves makes the halves of a server as they are at each start
   */
  public static EmbeddedCluster start(
      int servers, WireTypes types, Function<ServerId, List<Machine<ClientId>>> halves) {
    return start(servers, types, halves, LinkLimits.standard());
  }

  /** Starts a cluster with limits of its own. */
  public static EmbeddedCluster start(
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> halves,
      LinkLimits limits) {
    return start(new EmbeddedCluster(servers, types, halves, limits, Disks.inMemory()));
  }

  /**
   * Starts a cluster that keeps its journals in files: a cluster that is started in the same
   * directory later finds what this one has promised.
   */
  public static EmbeddedCluster startIn(
      Path directory,
      int servers,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> halves) {
    return start(
        new EmbeddedCluster(servers, types, halves, LinkLimits.standard(), Disks.in(directory)));
  }

  private static EmbeddedCluster start(EmbeddedCluster cluster) {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      for (ServerId id : ServerSet.firstN(cluster.size)) {
        NettyServer server = cluster.startServer(id, anyPort);
        cluster.servers.add(server);
        cluster.addresses.add(server.address());
      }
    } catch (RuntimeException | BindException e) {
      cluster.close();
      throw new IllegalStateException("an embedded cluster did not start", e);
    }
    return cluster;
  }

  private NettyServer startServer(ServerId id, InetSocketAddress address) throws BindException {
    NettyServer server =
        new NettyServer(
            loops,
            ServerCredentials.hmac(secrets.serverKeyring(NAME, id)),
            Gate.everybody(),
            limits,
            types);
    try {
      StateCodec codec = new StateCodec(types);
      List<Machine<ClientId>> made = halves.apply(id);
      for (int i = 0; i < made.size(); i++) {
        int half = i;
        server.add(
            made.get(i),
            loop -> Ledger.on(disks.open(id, half, loop), codec),
            event -> {},
            broken -> {});
      }
      server.bind(address);
      return server;
    } catch (RuntimeException | BindException e) {
      end(id, server);
      throw e;
    }
  }

  private void end(ServerId id, NettyServer server) {
    server.close();
    disks.release(id);
  }

  /** A new client process, as it were: a session of its own, and a connection to each server. */
  public synchronized NettyClient client(String principal) {
    NettyClient client =
        NettyClient.connect(
            addresses,
            ClientCredentials.hmac(secrets.clientKeyring(NAME, principal, size, Set.of())),
            limits,
            types);
    clients.add(client);
    return client;
  }

  /** Ends a server at once; its journal stays. */
  public synchronized void stop(ServerId id) {
    NettyServer server = servers.set(id.index(), null);
    if (server != null) {
      end(id, server);
    }
  }

  /** Starts a stopped server again, at the same address and with its journal. */
  public synchronized void restart(ServerId id) {
    checkState(servers.get(id.index()) == null, "%s is running", id);
    try {
      servers.set(id.index(), startServer(id, addresses.get(id.index())));
    } catch (BindException e) {
      throw new IllegalStateException(id + " did not start again", e);
    }
  }

  /** A running server. */
  public synchronized NettyServer server(ServerId id) {
    NettyServer server = servers.get(id.index());
    checkState(server != null, "%s is stopped", id);
    return server;
  }

  /** Where a server listens, or listened. */
  public InetSocketAddress address(ServerId id) {
    return addresses.get(id.index());
  }

  @Override
  public synchronized void close() {
    clients.forEach(NettyClient::close);
    for (int index = 0; index < servers.size(); index++) {
      stop(new ServerId(index));
    }
    servers.clear();
    loops.close();
    secrets.close();
  }
}
