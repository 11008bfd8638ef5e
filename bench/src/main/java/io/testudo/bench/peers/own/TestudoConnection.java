package io.testudo.bench.peers.own;

import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerLock;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.client.ClientThreads;
import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoClientBuilder;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.ordering.objects.CounterObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A client as an application has it. One that only chains to futures tells it to run that at once
 * (docs/client.md), one that blocks need not: so there are two, of which one is used at a time.
 */
final class TestudoConnection implements PeerConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Path configuration;
  private final ClientThreads threads;
  private final Map<Use, TestudoClient> clients = new EnumMap<>(Use.class);

  TestudoConnection(Path configuration, ClientThreads threads) {
    this.configuration = configuration;
    this.threads = threads;
  }

  @Override
  public PeerLock lock(String name, Use use) throws IOException, InterruptedException {
    return new OwnLock(client(use).lock(name));
  }

  @Override
  public PeerCounter counter(String name, Use use) throws IOException, InterruptedException {
    return new OwnCounter(client(use).counter(name));
  }

  private TestudoClient client(Use use) throws IOException, InterruptedException {
    TestudoClient client = clients.get(use);
    if (client == null) {
      TestudoClientBuilder builder = TestudoClient.builder(configuration).threads(threads);
      client = (use == Use.ASYNC ? builder.executor(Runnable::run) : builder).connect();
      clients.put(use, client);
      awaitConnections(client.unwrap(ClusterClient.class));
    }
    return client;
  }

  /** No operation may be measured that waited for a connection. */
  private static void awaitConnections(ClusterClient client)
      throws IOException, InterruptedException {
    var unused = client.survey(TIMEOUT, TIMEOUT);
    if (client.connections().connections() != client.config().cluster().servers()) {
      throw new IOException(client.states());
    }
  }

  @Override
  public void close() {
    clients.values().forEach(TestudoClient::close);
  }

  /** A contender. */
  private static final class OwnLock implements PeerLock {
    private final DistributedLock lock;

    /** While it is held; what asks for it happens before what gives it back. */
    private @Nullable Lease lease;

    OwnLock(DistributedLock lock) {
      this.lock = lock;
    }

    @Override
    public void lock() throws InterruptedException {
      lease = lock.acquire();
    }

    @Override
    public void unlock() {
      Objects.requireNonNull(lease, "not held").close();
    }

    @Override
    public CompletionStage<?> lockAsync() {
      return lock.acquireAsync().thenAccept(granted -> lease = granted);
    }

    /** Releasing waits for nothing. */
    @Override
    public CompletionStage<?> unlockAsync() {
      unlock();
      return CompletableFuture.completedFuture(true);
    }
  }

  private record OwnCounter(CounterObject counter) implements PeerCounter {
    @Override
    public long increment() {
      return counter.increment().join();
    }

    @Override
    public long get() {
      return counter.get().join();
    }

    @Override
    public CompletionStage<Long> incrementAsync() {
      return counter.increment();
    }
  }
}
