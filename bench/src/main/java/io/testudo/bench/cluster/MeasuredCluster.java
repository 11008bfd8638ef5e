package io.testudo.bench.cluster;

import io.testudo.quorum.embedded.ServerProcess;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Servers of one machine each in a process of their own, and the keys to talk to them.
 *
 * @param <K> what clients need to know
 */
public final class MeasuredCluster<K> implements AutoCloseable {
  private final int servers;
  private final K keys;
  private final ServerProcess process;

  private MeasuredCluster(int servers, K keys, ServerProcess process) {
    this.servers = servers;
    this.keys = keys;
    this.process = process;
  }

  /** Writes what servers must know into a directory. */
  public interface Issuer<K> {
    K issue(int servers, Path directory) throws IOException;
  }

  /**
   * Starts the servers. Their keys are on disk only until they have read them.
   *
   * @param main whose arguments are the directory with the keys, the number of servers, and these
   */
  public static <K> MeasuredCluster<K> start(
      int servers, Issuer<K> issuer, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create()) {
      K keys = issuer.issue(servers, directory.path());
      List<String> all =
          new ArrayList<>(List.of(directory.path().toString(), Integer.toString(servers)));
      all.addAll(arguments);
      return new MeasuredCluster<>(servers, keys, ServerProcess.start(main, all));
    }
  }

  public int servers() {
    return servers;
  }

  public K keys() {
    return keys;
  }

  /** Makes clients of these servers. */
  public ConnectedClients clients(ClientCredentials credentials, WireTypes types) {
    return new ConnectedClients(process.ports(), credentials, types);
  }

  @Override
  public void close() throws IOException {
    process.close();
  }
}
