package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.netty.ClientCredentials;
import java.io.IOException;
import java.util.List;

/** Servers of one protocol in a process of their own, and the keys to talk to them. */
final class MeasuredLockCluster implements AutoCloseable {
  private final LockProtocol protocol;
  private final MeasuredCluster<ClientKeyring> cluster;

  private MeasuredLockCluster(LockProtocol protocol, MeasuredCluster<ClientKeyring> cluster) {
    this.protocol = protocol;
    this.cluster = cluster;
  }

  /** Starts the servers. Ranks are sealed, as they should be. */
  static MeasuredLockCluster start(LockProtocol protocol, int servers)
      throws IOException, InterruptedException {
    return new MeasuredLockCluster(
        protocol,
        MeasuredCluster.start(
            servers,
            (count, directory) -> BenchKeys.issue(count, List.of(LockSetup.PREFIX), directory),
            LockServers.class,
            List.of(protocol.name())));
  }

  int servers() {
    return cluster.servers();
  }

  /** Makes clients of these servers. */
  ConnectedClients clients() {
    return cluster.clients(ClientCredentials.hmac(cluster.keys()), protocol.types());
  }

  /** How its clients seal their ranks. */
  RankSeals seals() {
    return GroupRankSeals.of(BenchKeys.CLUSTER, cluster.keys().groupKeys(KeyPurpose.LOCK));
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
