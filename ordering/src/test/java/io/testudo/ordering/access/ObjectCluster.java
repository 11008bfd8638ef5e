package io.testudo.ordering.access;

import io.testudo.mutex.client.LockClient;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.NettyClient;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Servers for objects and locks in this process, on real sockets of the loopback address, in any
 * mode and with any rights.
 */
public final class ObjectCluster implements AutoCloseable {
  private static final String ANYBODY = "anybody";

  private final int servers;
  private final int byzantine;
  private final ObjectBackend backend;
  private final EmbeddedCluster embedded;

  private ObjectCluster(
      int servers, int byzantine, ObjectBackend backend, EmbeddedCluster embedded) {
    this.servers = servers;
    this.byzantine = byzantine;
    this.backend = backend;
    this.embedded = embedded;
  }

  /**
   * Starts servers that keep everything in memory, with everything sealed.
   *
   * @param byzantine how many of them may lie; three times as many and one more are needed
   */
  public static ObjectCluster start(int servers, int byzantine) {
    return start(servers, byzantine, ObjectBackend.standard());
  }

  /** Starts servers that keep everything in memory. */
  public static ObjectCluster start(int servers, int byzantine, ObjectBackend backend) {
    var unused = backend.thresholds(servers, byzantine);
    return new ObjectCluster(
        servers,
        byzantine,
        backend,
        EmbeddedCluster.start(servers, backend.types(), backend::serverMachines));
  }

  /** Starts servers in memory that let each principal do what it has the right to. */
  public static ObjectCluster start(
      int servers, int byzantine, ObjectBackend backend, Supplier<Rights> rights) {
    var unused = backend.thresholds(servers, byzantine);
    return new ObjectCluster(
        servers,
        byzantine,
        backend,
        EmbeddedCluster.start(servers, backend.types(), backend::serverMachines, Gate.of(rights)));
  }

  /**
   * Starts servers that keep their journals in files, and the key of their clients beside them: a
   * cluster that is started in the same directory later goes on where this one ended.
   */
  public static ObjectCluster startIn(
      Path directory, int servers, int byzantine, ObjectBackend backend) {
    var unused = backend.thresholds(servers, byzantine);
    return new ObjectCluster(
        servers,
        byzantine,
        backend,
        EmbeddedCluster.startIn(directory, servers, backend.types(), backend::serverMachines));
  }

  /** A client, as if it were a process of its own: it shares nothing with others. */
  public ObjectClient client(String principal) {
    return prepareClient(principal).build();
  }

  /** A client with settings of one's own. */
  public ObjectClient.Builder prepareClient(String principal) {
    return prepareClient(embedded.client(principal)).closesConnections();
  }

  /** A client on connections of the {@linkplain #embedded servers}. */
  public ObjectClient.Builder prepareClient(NettyClient connections) {
    return ObjectClient.on(connections, servers, byzantine).backend(backend).seals(seals());
  }

  /** A client for locks on the same connections, or on others. */
  public LockClient.Builder prepareLocks(NettyClient connections) {
    return LockClient.on(connections, servers, byzantine).backend(backend.locks());
  }

  /** The seals of the clients: they share a key. */
  public ObjectSeals seals() {
    return backend.mode() == Mode.PLAIN
        ? ObjectSeals.none()
        : ObjectSeals.group(embedded.keyring(ANYBODY));
  }

  /** How many servers there are. */
  public int servers() {
    return servers;
  }

  /** Ends a server at once. */
  public void stop(ServerId server) {
    embedded.stop(server);
  }

  /** Starts a stopped server again, with what it has kept. */
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
