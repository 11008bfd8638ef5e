package io.testudo.bench.scale;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.bench.cluster.DeployedClients;
import io.testudo.bench.cluster.DeployedCluster;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.client.TestudoClient;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.Lease;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A deployed cluster, with its journals in files, that is filled with locks, objects or
 * connections; all its servers are in one process.
 */
final class FilledCluster implements AutoCloseable {
  /** Calls under way at a time. */
  private static final int AT_A_TIME = 64;

  /**
   * Who fills it. A server leaves each principal no more room than is left for others, so that many
   * can have nearly all of it.
   */
  static final int FILLERS = 24;

  private final int servers;
  private final DeployedCluster cluster;
  private @Nullable DeployedClients fillers;
  private int locks;
  private int objects;

  private FilledCluster(int servers, DeployedCluster cluster) {
    this.servers = servers;
    this.cluster = cluster;
  }

  /** The most liars that so many servers tolerate. */
  static int liars(int servers) {
    return Mode.SEALED_STATEMENTS.need().mostFaults(servers);
  }

  /**
   * Starts the servers.
   *
   * @param connections that may be opened beside those who fill it
   * @param directory in which files are; null for where the system keeps temporary ones
   */
  static FilledCluster start(int servers, int connections, @Nullable Path directory)
      throws IOException, InterruptedException {
    CommonSettings common =
        new CommonSettings(
            new LockSettings(
                LockSettings.DEFAULT_BACKEND,
                ImmutableSortedMap.of(),
                liars(servers),
                LockTiming.standard()),
            Mode.SEALED_STATEMENTS);
    return new FilledCluster(
        servers,
        DeployedCluster.start(
            servers,
            liars(servers),
            common,
            JournalKind.NOSYNC,
            Math.max(FILLERS, connections),
            directory));
  }

  int servers() {
    return servers;
  }

  private List<TestudoClient> fillers() throws IOException {
    if (fillers == null) {
      fillers = cluster.connect(FILLERS);
    }
    return fillers.all();
  }

  /** Until so many locks were used: each is acquired and given back once. */
  void useLocks(int count) throws IOException, InterruptedException {
    List<TestudoClient> clients = fillers();
    int from = locks;
    locks = Math.max(locks, count);
    callAll(
        from,
        count,
        i -> clients.get(i % FILLERS).lock("lock-" + i).acquireAsync().thenAccept(Lease::close));
  }

  /** Until there are so many counters, each incremented once. */
  void makeCounters(int count) throws IOException, InterruptedException {
    List<TestudoClient> clients = fillers();
    int from = objects;
    objects = Math.max(objects, count);
    callAll(from, count, i -> clients.get(i % FILLERS).counter("counter-" + i).increment());
  }

  /** So many registers with so many bytes each. */
  void makeRegisters(int count, int bytes) throws IOException, InterruptedException {
    List<TestudoClient> clients = fillers();
    Bytes value = Bytes.wrap(new byte[bytes]);
    callAll(0, count, i -> clients.get(i % FILLERS).register("register-" + i).set(value));
  }

  private static void callAll(int from, int to, IntFunction<CompletionStage<?>> call)
      throws InterruptedException {
    Semaphore room = new Semaphore(AT_A_TIME);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    for (int i = from; i < to && failure.get() == null; i++) {
      room.acquire();
      var unused =
          call.apply(i)
              .whenComplete(
                  (result, failed) -> {
                    if (failed != null) {
                      failure.compareAndSet(null, failed);
                    }
                    room.release();
                  });
    }
    room.acquire(AT_A_TIME);
    Throwable failed = failure.get();
    if (failed != null) {
      throw new MeasurementException("a call failed: " + failed.getMessage(), failed);
    }
  }

  /** Connects so many clients that do nothing. */
  DeployedClients connect(int count) throws IOException {
    return cluster.connect(count);
  }

  /** What one server has in use after a full collection, on average. */
  double heapBytes() throws IOException {
    return cluster.heapUsedBytes() / (double) servers;
  }

  /** What one server has in files, on average. */
  double journalBytes() throws IOException {
    return cluster.sizeBytes() / (double) servers;
  }

  /** Ends all servers and starts them again; gives how long that took. */
  Duration restart() throws IOException, InterruptedException {
    disconnect();
    return cluster.restart();
  }

  /** Reads the files of all servers. */
  Duration readAll() throws IOException {
    return cluster.readAll();
  }

  private void disconnect() {
    if (fillers != null) {
      fillers.close();
      fillers = null;
    }
  }

  @Override
  public void close() throws IOException {
    disconnect();
    cluster.close();
  }
}
