package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.bench.strawman.StrawmanProtocol;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.LockClient;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.NettyClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The strawman's servers. No cluster can be configured with it, so its clients are made of the
 * parts that others are made of.
 */
record StrawmanCluster(StrawmanProtocol protocol, MeasuredCluster<ClientCredentials> cluster)
    implements MeasuredLockCluster {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(20);

  static StrawmanCluster start(StrawmanProtocol protocol, int servers)
      throws IOException, InterruptedException {
    return new StrawmanCluster(
        protocol,
        MeasuredCluster.start(
            servers,
            (count, directory) -> ClientCredentials.hmac(BenchKeys.issue(count, directory)),
            StrawmanServers.class,
            List.of()));
  }

  @Override
  public LockClients connect(int clients) throws IOException {
    ConnectedClients connected = cluster.clients(cluster.keys(), protocol.types());
    try {
      List<BiFunction<String, LockOptions, DistributedLock>> locks = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        NettyClient client = connected.connect();
        LockClient own =
            LockClient.on(client, cluster.servers(), 0)
                .backend(protocol)
                .executor(Runnable::run)
                .build();
        locks.add(own::lock);
        awaitConnections(client, own);
      }
      return new LockClients(locks, connected::close);
    } catch (IOException | RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  /** No turn may be measured that waited for a connection: asks until all servers are there. */
  private void awaitConnections(NettyClient client, LockClient locks) throws IOException {
    DistributedLock own = locks.lock("of-" + client.session());
    long startNanos = System.nanoTime();
    try {
      do {
        own.acquire().close();
        if (System.nanoTime() - startNanos > CONNECT_WITHIN.toNanos()) {
          throw new IOException(
              "%d of %d servers are connected".formatted(client.connections(), cluster.servers()));
        }
      } while (client.connections() != cluster.servers());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the servers were connected", e);
    }
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
