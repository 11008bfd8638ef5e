package io.testudo.bench.cluster;

import io.testudo.node.local.LocalCluster;
import io.testudo.node.log.Logging;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.embedded.ChildMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The child process: the servers of a cluster, on one loop, like those of the floor. */
final class DeployedServers implements ChildMain.Servers {
  private final LocalCluster cluster;
  private final HeapTeller heap;

  private DeployedServers(LocalCluster cluster, HeapTeller heap) {
    this.cluster = cluster;
    this.heap = heap;
  }

  /** The directory of the cluster, the number of servers, whether they keep all in memory. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    ChildMain.run(
        () ->
            new DeployedServers(
                LocalCluster.start(
                    new ClusterDirectory(Path.of(args[0])),
                    Integer.parseInt(args[1]),
                    Boolean.parseBoolean(args[2]),
                    // Figures of a cluster that has lost a server would not mean what they say.
                    (machine, cause) -> Runtime.getRuntime().halt(1)),
                HeapTeller.start()));
  }

  /** Clients know the servers' own from their files; this one tells of the heap. */
  @Override
  public List<Integer> ports() {
    return List.of(heap.port());
  }

  @Override
  public void close() {
    cluster.close();
    try {
      heap.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
