package io.testudo.bench.locking;

import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.LockClient;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.NettyClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients as applications write them: each a thread that waits for its lock. */
final class BlockingSession implements Session {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  private final ConnectedClients connected;
  private final List<LockClient> lockClients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();

  private BlockingSession(ConnectedClients connected) {
    this.connected = connected;
  }

  static BlockingSession connect(MeasuredLockCluster cluster, LockSetup setup, int clients)
      throws IOException {
    BlockingSession session = new BlockingSession(cluster.clients());
    try {
      List<Section> sections = Stream.generate(Section::new).limit(setup.locks()).toList();
      LockOptions options =
          LockOptions.standard()
              .withHold(Duration.ofNanos(AsyncSession.HOLD_NANOS))
              .withServers(setup.protocol().asked(setup.thresholds().need()));
      for (int i = 0; i < setup.connections().sessions(clients); i++) {
        session.add(cluster, setup, options);
      }
      for (int i = 0; i < clients; i++) {
        LockClient client = session.lockClients.get(i % session.lockClients.size());
        int lock = setup.lockNumber(i);
        Worker worker =
            new Worker(client.lock(LockSetup.lockOf(lock), options), sections.get(lock), i);
        session.workers.add(worker);
        worker.thread.start();
      }
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void add(MeasuredLockCluster cluster, LockSetup setup, LockOptions options)
      throws IOException {
    NettyClient client = connected.connect();
    LockClient locks =
        LockClient.on(client, cluster.servers(), MeasuredLocks.liarsOf(setup.thresholds()))
            .backend(setup.protocol())
            .seals(cluster.seals())
            .build();
    lockClients.add(locks);
    awaitConnections(
        client,
        locks.lock(LockSetup.PREFIX + "-of-" + client.session(), options),
        cluster.servers());
  }

  /** No turn may be measured that waited for a connection: asks until all servers are there. */
  private static void awaitConnections(NettyClient client, DistributedLock lock, int servers)
      throws IOException {
    long startNanos = System.nanoTime();
    try {
      do {
        lock.acquire().close();
        if (System.nanoTime() - startNanos > CONNECT_WITHIN.toNanos()) {
          throw new IOException(
              "%d of %d servers are connected".formatted(client.connections(), servers));
        }
      } while (client.connections() != servers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the servers were connected", e);
    }
  }

  @Override
  public void start(int client, Completion completion) {
    workers.get(client).start(completion);
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.thread.interrupt());
    lockClients.forEach(LockClient::close);
    connected.close();
  }

  /** One client. What it starts when a turn has ended begins without a hand-over of threads. */
  private static final class Worker implements Runnable {
    private final DistributedLock lock;
    private final Section section;
    private final AtomicReference<@Nullable Completion> next = new AtomicReference<>();
    private final Thread thread;

    Worker(DistributedLock lock, Section section, int number) {
      this.lock = lock;
      this.section = section;
      this.thread = new Thread(this, "contender-" + number);
      thread.setDaemon(true);
    }

    void start(Completion whenDone) {
      next.set(whenDone);
      if (Thread.currentThread() != thread) {
        LockSupport.unpark(thread);
      }
    }

    @Override
    public void run() {
      while (!Thread.currentThread().isInterrupted()) {
        Completion completion = next.getAndSet(null);
        if (completion == null) {
          LockSupport.park(this);
        } else {
          takeTurn(completion);
        }
      }
    }

    private void takeTurn(Completion completion) {
      try {
        try (Lease lease = lock.acquire()) {
          completion.reached();
          section.pass(lease.fencingToken());
        }
        completion.done();
      } catch (TestudoException | MeasurementException e) {
        completion.failed(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        completion.failed(e);
      }
    }
  }
}
