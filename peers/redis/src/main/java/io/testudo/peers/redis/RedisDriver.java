package io.testudo.peers.redis;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerLock;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redis without persistence, used by Redisson: one server, or five that know nothing of others. */
public final class RedisDriver {
  private static final int FIVE = 5;

  /** Names of callers without threads; far from the numbers of threads. */
  private static final AtomicLong CALLERS = new AtomicLong(1L << 32);

  private RedisDriver() {}

  /** {@code one}, or {@code five} for RedLock. */
  public static void main(String[] args) throws InterruptedException {
    int count = List.of(args).contains("five") ? FIVE : 1;
    PeerDriver.main(servers -> start(servers, count));
  }

  private static PeerSystem start(PeerServers servers, int count)
      throws IOException, InterruptedException {
    List<Integer> ports = PeerServers.freePorts(count);
    for (int i = 0; i < count; i++) {
      servers.startNative(
          "redis-" + i,
          "redis-server",
          "--port",
          Integer.toString(ports.get(i)),
          "--bind",
          PeerServers.LOOPBACK,
          "--save",
          "",
          "--appendonly",
          "no");
    }
    for (int port : ports) {
      servers.awaitPort(port);
    }
    return new Servers(
        ports, versionOfServer(), new NioEventLoopGroup(), Executors.newCachedThreadPool());
  }

  private static String versionOfServer() throws IOException {
    Process process = new ProcessBuilder("redis-server", "--version").start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.replaceFirst("(?s).*v=(\\S+).*", "$1");
  }

  private record Servers(
      List<Integer> ports, String serverVersion, EventLoopGroup loops, ExecutorService executor)
      implements PeerSystem {
    @Override
    public String version() {
      return "Redis %s, Redisson %s"
          .formatted(serverVersion, PeerServers.versionOf(Redisson.class));
    }

    /** The first, which many callers may share, is as usual; dozens of such would be too many. */
    @Override
    public PeerConnection connect(int index) {
      List<RedissonClient> clients = new ArrayList<>();
      for (int port : ports) {
        Config config = new Config();
        SingleServerConfig server =
            config.useSingleServer().setAddress("redis://" + PeerServers.LOOPBACK + ":" + port);
        if (index > 0 || ports.size() > 1) {
          config.setEventLoopGroup(loops).setExecutor(executor);
        }
        if (index > 0) {
          server
              .setConnectionMinimumIdleSize(1)
              .setConnectionPoolSize(2)
              .setSubscriptionConnectionMinimumIdleSize(1)
              .setSubscriptionConnectionPoolSize(2);
        }
        clients.add(Redisson.create(config));
      }
      return new Client(clients);
    }

    @Override
    public void close() {
      var unused = loops.shutdownGracefully();
      executor.shutdown();
    }
  }

  private record Client(List<RedissonClient> clients) implements PeerConnection {
    @Override
    @SuppressWarnings("deprecation") // People use it, and ask what it costs.
    public PeerLock lock(String name, Use use) {
      RLock[] locks = clients.stream().map(client -> client.getLock(name)).toArray(RLock[]::new);
      return new Locked(
          locks.length == 1 ? locks[0] : new RedissonRedLock(locks), CALLERS.incrementAndGet());
    }

    @Override
    public PeerCounter counter(String name, Use use) {
      return new Count(clients.get(0).getAtomicLong(name));
    }

    @Override
    public void close() {
      clients.forEach(RedissonClient::shutdown);
    }
  }

  private record Locked(RLock inner, long caller) implements PeerLock {
    @Override
    public void lock() {
      inner.lock();
    }

    @Override
    public void unlock() {
      inner.unlock();
    }

    @Override
    public CompletionStage<?> lockAsync() {
      return inner.lockAsync(caller);
    }

    @Override
    public CompletionStage<?> unlockAsync() {
      return inner.unlockAsync(caller);
    }
  }

  private record Count(RAtomicLong count) implements PeerCounter {
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
