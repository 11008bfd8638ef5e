package io.testudo.mutex.client;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lock servers in this process, on real sockets of the loopback address, of any protocol and with
 * any rights.
 */
public final class LockCluster implements LockAcceptance.Servers {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final int servers;
  private final int byzantine;
  private final List<LockProtocol> backends;
  private final @Nullable BackendTable table;
  private final EmbeddedCluster embedded;

  private LockCluster(
      int servers,
      int byzantine,
      List<LockProtocol> backends,
      @Nullable BackendTable table,
      Gate gate) {
    this.servers = servers;
    this.byzantine = byzantine;
    this.backends = backends;
    this.table = table;
    WireTypes types =
        backends.stream().map(LockProtocol::types).reduce(WireTypes.of(), WireTypes::and);
    this.embedded = EmbeddedCluster.start(servers, types, this::machines, gate);
  }

  private List<Machine<ClientId>> machines(ServerId id) {
    return backends.stream().map(this::machine).toList();
  }

  private Machine<ClientId> machine(LockProtocol backend) {
    LockScope scope = table == null ? LockScope.everything() : table.scopeOf(backend.name());
    return backend.serverMachine(scope, RANDOM::nextLong);
  }

  /**
   * Starts servers with the usual time bounds.
   *
   * @param byzantine how many of them may lie; three times as many and one more are needed
   */
  public static LockCluster start(int servers, int byzantine) {
    return start(servers, byzantine, LockTiming.standard());
  }

  /** Starts servers with time bounds of one's own; tests want short ones. */
  public static LockCluster start(int servers, int byzantine, LockTiming timing) {
    return start(servers, byzantine, new BackoffProtocol(timing));
  }

  /** Starts servers of any lock protocol. */
  public static LockCluster start(int servers, int byzantine, LockProtocol backend) {
    return new LockCluster(servers, byzantine, List.of(backend), null, Gate.everybody());
  }

  /** Starts servers that let each principal do what it has the right to. */
  public static LockCluster start(
      int servers, int byzantine, LockProtocol backend, Supplier<Rights> rights) {
    return new LockCluster(servers, byzantine, List.of(backend), null, Gate.of(rights));
  }

  /** Starts servers of several lock protocols, each for the names that are bound to it. */
  public static LockCluster start(
      int servers, int byzantine, List<LockProtocol> backends, BackendTable table) {
    return new LockCluster(servers, byzantine, List.copyOf(backends), table, Gate.everybody());
  }

  /** A client, as if it were a process of its own: it shares nothing with others. */
  public LockClient client(String principal) {
    return prepareClient(principal).build();
  }

  /** A client with settings of one's own. */
  @Override
  public LockClient.Builder prepareClient(String principal) {
    return prepareClient(embedded.client(principal)).closesConnections();
  }

  /** A client on connections of the {@linkplain #embedded servers}. */
  public LockClient.Builder prepareClient(NettyClient connections) {
    LockClient.Builder builder = LockClient.on(connections, servers, byzantine);
    backends.forEach(builder::backend);
    return table == null ? builder : builder.table(table);
  }

  @Override
  public LockAcceptance.Mortal mortalClient(String principal) {
    NettyClient process = embedded.client(principal);
    return new LockAcceptance.Mortal(prepareClient(process).build(), process::close);
  }

  /** How many servers there are. */
  @Override
  public int servers() {
    return servers;
  }

  /** Ends a server at once. */
  @Override
  public void stop(ServerId server) {
    embedded.stop(server);
  }

  /** Starts a stopped server again, with what it has kept. */
  @Override
  public void restart(ServerId server) {
    embedded.restart(server);
  }

  /** The servers themselves. */
  public EmbeddedCluster embedded() {
    return embedded;
  }

  /** Ends the clients and the servers. */
  @Override
  public void close() {
    embedded.close();
  }
}
