package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.netty.ClientCredentials;
import java.io.IOException;
import java.util.List;

/** Servers in a process of their own, and the keys to talk to them. */
final class LockCluster implements AutoCloseable {
  private final MeasuredCluster<ClientKeyring> cluster;

  private LockCluster(MeasuredCluster<ClientKeyring> cluster) {
    this.cluster = cluster;
  }

  /** Starts the servers. Ranks are sealed, as they should be. */
  static LockCluster start(int servers) throws IOException, InterruptedException {
    return new LockCluster(
        MeasuredCluster.start(
            servers,
            (count, directory) -> BenchKeys.issue(count, List.of(LockSetup.PREFIX), directory),
            LockServers.class,
            List.of()));
  }

  int servers() {
    return cluster.servers();
  }

  /** Makes clients of these servers. */
  ConnectedClients clients() {
    return cluster.clients(ClientCredentials.hmac(cluster.keys()), BackoffTypes.ALL);
  }

  /** How its clients seal their ranks. */
  RankSeals seals() {
    return GroupRankSeals.of(BenchKeys.CLUSTER, cluster.keys().groupKeys());
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
