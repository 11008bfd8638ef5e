package io.testudo.bench.locking;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.bench.cluster.DeployedClients;
import io.testudo.bench.cluster.DeployedCluster;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.strawman.StrawmanProtocol;
import io.testudo.client.TestudoClient;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.log.Mode;
import java.io.IOException;
import java.util.function.BiFunction;

/** Servers of one protocol in a process of their own. */
interface MeasuredLockCluster extends AutoCloseable {
  /** Connects so many clients. */
  LockClients connect(int clients) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Starts the servers, which keep all in memory.
   *
   * @param byzantine how many of them may lie
   * @param clients that connect at most
   */
  static MeasuredLockCluster start(LockProtocol protocol, int servers, int byzantine, int clients)
      throws IOException, InterruptedException {
    if (protocol instanceof StrawmanProtocol strawman) {
      return StrawmanCluster.start(strawman, servers); // No configuration knows it.
    }
    CommonSettings common =
        new CommonSettings(
            new LockSettings(
                protocol.name(), ImmutableSortedMap.of(), byzantine, LockTiming.standard()),
            Mode.SEALED_STATEMENTS);
    return new Deployed(
        DeployedCluster.start(servers, byzantine, common, JournalKind.OFF, clients, null));
  }

  /** As applications have it. */
  record Deployed(DeployedCluster cluster) implements MeasuredLockCluster {
    @Override
    public LockClients connect(int clients) throws IOException {
      DeployedClients connected = cluster.connect(clients);
      return new LockClients(
          connected.all().stream().map(Deployed::locksOf).toList(), connected::close);
    }

    private static BiFunction<String, LockOptions, DistributedLock> locksOf(TestudoClient client) {
      return client::lock;
    }

    @Override
    public void close() throws IOException {
      cluster.close();
    }
  }
}
