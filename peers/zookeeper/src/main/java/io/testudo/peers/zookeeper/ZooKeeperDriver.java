package io.testudo.peers.zookeeper;

import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerLock;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.atomic.AtomicValue;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** ZooKeeper with three servers as its documentation configures them, used by Curator's recipes. */
public final class ZooKeeperDriver {
  private static final int SERVERS = 3;
  private static final int CONNECT_WITHIN_SECONDS = 60;

  private ZooKeeperDriver() {}

  /** No arguments. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(ZooKeeperDriver::start);
  }

  private static PeerSystem start(PeerServers servers) throws IOException, InterruptedException {
    List<Integer> ports = PeerServers.freePorts(3 * SERVERS);
    StringBuilder ensemble = new StringBuilder();
    for (int i = 0; i < SERVERS; i++) {
      ensemble.append(
          "server.%d=%s:%d:%d\n"
              .formatted(
                  i + 1, PeerServers.LOOPBACK, ports.get(SERVERS + i), ports.get(2 * SERVERS + i)));
    }
    for (int i = 0; i < SERVERS; i++) {
      Path directory = servers.directory("server-" + i);
      Files.writeString(directory.resolve("myid"), Integer.toString(i + 1));
      Path config =
          Files.writeString(
              directory.resolve("zoo.cfg"),
              """
              tickTime=2000
              initLimit=10
              syncLimit=5
              maxClientCnxns=0
              admin.enableServer=false
              4lw.commands.whitelist=ruok
              dataDir=%s
              clientPortAddress=%s
              clientPort=%d
              %s
              """
                  .formatted(directory, PeerServers.LOOPBACK, ports.get(i), ensemble));
      servers.startJava("server-" + i, QuorumPeerMain.class.getName(), config.toString());
    }
    for (int i = 0; i < SERVERS; i++) {
      servers.awaitPort(ports.get(i));
    }
    String address =
        ports.subList(0, SERVERS).stream()
            .map(port -> PeerServers.LOOPBACK + ":" + port)
            .collect(Collectors.joining(","));
    Ensemble started = new Ensemble(address);
    started.connect(0).close(); // There is a leader now.
    return started;
  }

  private record Ensemble(String address) implements PeerSystem {
    @Override
    public String version() {
      return "ZooKeeper %s, Curator %s"
          .formatted(
              PeerServers.versionOf(ZooKeeper.class),
              PeerServers.versionOf(InterProcessMutex.class));
    }

    @Override
    public PeerConnection connect(int index) throws IOException, InterruptedException {
      CuratorFramework client =
          CuratorFrameworkFactory.newClient(address, new ExponentialBackoffRetry(100, 10));
      client.start();
      if (!client.blockUntilConnected(CONNECT_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        client.close();
        throw new IOException("no server took the connection");
      }
      return new Client(client);
    }

    @Override
    public void close() {}
  }

  private record Client(CuratorFramework framework) implements PeerConnection {
    @Override
    public PeerLock lock(String name, Use use) {
      return new Mutex(new InterProcessMutex(framework, "/locks/" + name));
    }

    @Override
    public PeerCounter counter(String name, Use use) {
      // It tries at once, and again after a pause that grows: as Curator advises.
      return new Count(
          new DistributedAtomicLong(
              framework, "/counters/" + name, new ExponentialBackoffRetry(1, 10)));
    }

    @Override
    public void close() {
      framework.close();
    }
  }

  private record Mutex(InterProcessMutex mutex) implements PeerLock {
    @Override
    public void lock() throws Exception {
      mutex.acquire();
    }

    @Override
    public void unlock() throws Exception {
      mutex.release();
    }
  }

  private record Count(DistributedAtomicLong count) implements PeerCounter {
    @Override
    public long increment() throws Exception {
      while (true) {
        AtomicValue<Long> value = count.increment();
        if (value.succeeded()) {
          return value.postValue();
        }
      }
    }

    @Override
    public long get() throws Exception {
      return count.get().postValue();
    }
  }
}
