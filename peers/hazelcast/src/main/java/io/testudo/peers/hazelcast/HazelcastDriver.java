package io.testudo.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.IAtomicLong;
import com.hazelcast.cp.lock.FencedLock;
import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerLock;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Hazelcast's CP subsystem with three members, used by clients. */
public final class HazelcastDriver {
  private static final int MEMBERS = 3;

  private HazelcastDriver() {}

  /** No arguments. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(HazelcastDriver::start);
  }

  private static PeerSystem start(PeerServers servers) throws IOException, InterruptedException {
    List<Integer> ports = PeerServers.freePorts(MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
      servers.startJava(
          "member-" + i,
          HazelcastMember.class.getName(),
          Stream.concat(Stream.of(ports.get(i)), ports.stream())
              .map(String::valueOf)
              .toArray(String[]::new));
    }
    for (int port : ports) {
      servers.awaitPort(port);
    }
    Members members = new Members(ports);
    try (PeerConnection first = members.connect(0)) {
      // It waits until all members have found each other.
      first.counter("first", Use.BLOCKING).get();
    } catch (Exception e) {
      throw new IOException("the members did not form a CP subsystem: " + e.getMessage(), e);
    }
    return members;
  }

  private record Members(List<Integer> ports) implements PeerSystem {
    @Override
    public String version() {
      return "Hazelcast " + PeerServers.versionOf(HazelcastInstance.class);
    }

    @Override
    public PeerConnection connect(int index) {
      ClientConfig config = new ClientConfig();
      config.setProperty("hazelcast.client.statistics.enabled", "false");
      for (int port : ports) {
        config.getNetworkConfig().addAddress(PeerServers.LOOPBACK + ":" + port);
      }
      return new Client(HazelcastClient.newHazelcastClient(config));
    }

    @Override
    public void close() {}
  }

  private record Client(HazelcastInstance instance) implements PeerConnection {
    @Override
    public PeerLock lock(String name, Use use) {
      return new Fenced(instance.getCPSubsystem().getLock(name));
    }

    @Override
    public PeerCounter counter(String name, Use use) {
      return new Count(instance.getCPSubsystem().getAtomicLong(name));
    }

    @Override
    public void close() {
      instance.shutdown();
    }
  }

  private record Fenced(FencedLock fenced) implements PeerLock {
    @Override
    public void lock() {
      fenced.lock();
    }

    @Override
    public void unlock() {
      fenced.unlock();
    }
  }

  private record Count(IAtomicLong count) implements PeerCounter {
    @Override
    public long increment() {
      return count.incrementAndGet();
    }

    @Override
    public long get() {
      return count.get();
    }

    @Override
    public CompletionStage<Long> incrementAsync() {
      return count.incrementAndGetAsync();
    }
  }
}
