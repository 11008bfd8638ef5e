package io.testudo.bench.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.client.config.CommonSettings;
import io.testudo.node.local.FreePorts;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.embedded.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as {@code testudo init} makes it, in a directory that goes with it. All of its servers
 * are in one process of their own; clients are those of applications.
 */
public final class DeployedCluster implements AutoCloseable {
  private static final String NAME = "bench";
  private static final String LOOPBACK = "127.0.0.1";

  private final TemporaryDirectory temporary;
  private final ClusterDirectory directory;
  private final ImmutableList<String> arguments;
  private ServerProcess process;

  private DeployedCluster(
      TemporaryDirectory temporary,
      ClusterDirectory directory,
      ImmutableList<String> arguments,
      ServerProcess process) {
    this.temporary = temporary;
    this.directory = directory;
    this.arguments = arguments;
    this.process = process;
  }

  /**
   * Makes the cluster and starts its servers.
   *
   * @param principals how many clients can connect, each with a name and keys of its own
   * @param parent in which its directory is made; null for where the system keeps temporary files
   */
  public static DeployedCluster start(
      int servers,
      int byzantine,
      CommonSettings common,
      JournalKind journal,
      int principals,
      @Nullable Path parent)
      throws IOException, InterruptedException {
    TemporaryDirectory temporary = TemporaryDirectory.createIn(parent);
    try {
      Path path = temporary.path().resolve(NAME);
      ClusterDirectory directory = new ClusterDirectory(path);
      ClusterDescription unused =
          directory.make(plan(FreePorts.find(servers), byzantine, common, principals));
      if (journal == JournalKind.NOSYNC) {
        for (ServerId server : ServerSet.firstN(servers)) {
          Files.writeString(
              directory.serverConfig(server), "sync = false\n", StandardOpenOption.APPEND);
        }
      }
      boolean inMemory = journal == JournalKind.OFF;
      ImmutableList<String> arguments =
          ImmutableList.of(path.toString(), Integer.toString(servers), Boolean.toString(inMemory));
      return new DeployedCluster(
          temporary, directory, arguments, ServerProcess.start(DeployedServers.class, arguments));
    } catch (IOException | InterruptedException | RuntimeException e) {
      temporary.close();
      throw e;
    }
  }

  private static ClusterPlan plan(
      List<Integer> ports, int byzantine, CommonSettings common, int principals) {
    return new ClusterPlan(
        NAME,
        SecurityMode.HMAC,
        byzantine,
        ports.stream()
            .map(port -> new Endpoint(LOOPBACK, port))
            .collect(ImmutableList.toImmutableList()),
        common,
        IntStream.range(0, principals)
            .mapToObj(DeployedCluster::principal)
            .collect(
                Collectors.collectingAndThen(Collectors.toList(), ImmutableSortedSet::copyOf)));
  }

  private static String principal(int client) {
    return "client-" + client;
  }

  /** Connects so many clients, each of a principal of its own; all servers have answered them. */
  public DeployedClients connect(int clients) throws IOException {
    return DeployedClients.connect(
        IntStream.range(0, clients)
            .mapToObj(client -> directory.clientConfig(principal(client)))
            .toList());
  }

  /**
   * Ends the process of the servers and starts it again, with what they have in files.
   *
   * @return how long it took from the start of the process until all of them served
   */
  public Duration restart() throws IOException, InterruptedException {
    process.close();
    long beginNanos = System.nanoTime();
    process = ServerProcess.start(DeployedServers.class, arguments);
    return Duration.ofNanos(System.nanoTime() - beginNanos);
  }

  /** Reads all files of the cluster from the first byte to the last, and gives how long it took. */
  public Duration readAll() throws IOException {
    return temporary.readAll();
  }

  /** How much heap the servers have in use together, after a full collection. */
  public long heapUsedBytes() throws IOException {
    return HeapTeller.ask(process.ports().get(0));
  }

  /** The same of this process. */
  public static long heapUsedBytesHere() {
    return HeapTeller.usedBytes();
  }

  /** How long all files of the cluster are together; but for some kilobytes they are journals. */
  public long sizeBytes() throws IOException {
    return temporary.sizeBytes();
  }

  /** On which it is. */
  public String fileSystem() throws IOException {
    return Files.getFileStore(temporary.path()).type();
  }

  @Override
  public void close() throws IOException {
    try (temporary) {
      process.close();
    }
  }
}
