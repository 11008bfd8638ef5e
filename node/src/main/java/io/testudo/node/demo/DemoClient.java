package io.testudo.node.demo;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.client.Suspicions;
import io.testudo.ordering.Applied;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.NettyClient;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A client of the demo: one thread takes the lock again and again, another one counts. */
final class DemoClient implements AutoCloseable {
  static final String LOCK = "demo/lock";
  static final String COUNTER = "demo/counter";

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long STAY_MILLIS = 30;
  private static final long REST_MILLIS = 15;

  /** How long it asks after the end what became of an increment. */
  private static final Duration ASKS_FOR = Duration.ofSeconds(5);

  private final String name;
  private final NettyClient connections;
  private final LockClient locks;
  private final ObjectClient objects;
  private final LockWatch lockWatch;
  private final CountWatch countWatch;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread lockThread;
  private final Thread countThread;

  DemoClient(String name, DemoCluster cluster, LockWatch lockWatch, CountWatch countWatch) {
    this.name = name;
    this.connections = cluster.connect(name);
    this.locks = cluster.locks(connections);
    this.objects = cluster.objects(connections);
    this.lockWatch = lockWatch;
    this.countWatch = countWatch;
    this.lockThread = new Thread(this::takeLocks, name + "-locks");
    this.countThread = new Thread(this::count, name + "-counts");
  }

  void begin() {
    for (Thread thread : new Thread[] {lockThread, countThread}) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  String name() {
    return name;
  }

  /** How often it caught a server at what no correct server says. */
  long caught(ServerId server) {
    return Stream.of(locks.suspicions(), objects.suspicions())
        .map(suspicions -> suspicions.get(server))
        .filter(Objects::nonNull)
        .mapToLong(Suspicions.Evidence::count)
        .sum();
  }

  private void takeLocks() {
    DistributedLock lock =
        locks.lock(
            LOCK, LockOptions.standard().withHold(DemoCluster.MAX_HOLD).withMaxWait(PATIENCE));
    try {
      do {
        lockWatch.waits(name);
        takeOnce(lock);
        lockWatch.waitsNoMore(name);
      } while (!end.await(ThreadLocalRandom.current().nextLong(REST_MILLIS), MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final TimeUnit MILLIS = TimeUnit.MILLISECONDS;

  private void takeOnce(DistributedLock lock) throws InterruptedException {
    try (Lease lease = lock.acquire()) {
      if (lockWatch.enter(name, lease)) {
        try {
          boolean unused = end.await(STAY_MILLIS, MILLIS);
        } finally {
          lockWatch.leave(name);
        }
      }
    } catch (TestudoException e) {
      // Not in time, or too few servers: it comes again.
      lockWatch.waitsNoMore(name);
    }
  }

  private void count() {
    ReplicatedObject<Long> counter =
        CounterObject.open(objects, COUNTER).withTimeout(PATIENCE).object();
    try {
      do {
        countOnce(counter);
      } while (!end.await(ThreadLocalRandom.current().nextLong(REST_MILLIS), MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countOnce(ReplicatedObject<Long> counter) throws InterruptedException {
    try {
      acknowledge(counter.submitTraced(CounterObject.ADD, 1L).join(), false);
    } catch (CompletionException e) {
      if (e.getCause() instanceof UnknownOutcomeException unknown) {
        askAgain(counter, unknown.id());
      } else if (!(e.getCause() instanceof TestudoException told)
          || told.outcome() != Outcome.DID_NOT_HAPPEN) {
        countWatch.unresolved();
      }
    }
  }

  private void acknowledge(Applied<Long> done, boolean afterAsking) {
    countWatch.acknowledged(name, done.result(), done.version(), afterAsking);
  }

  /** An unknown outcome is no end: the operation is done once, however often one asks. */
  private void askAgain(ReplicatedObject<Long> counter, OperationId id)
      throws InterruptedException {
    long endedNanos = 0;
    while (endedNanos == 0 || System.nanoTime() - endedNanos < ASKS_FOR.toNanos()) {
      try {
        Optional<Applied<Long>> done = counter.outcomeOf(id, CounterObject.ADD).join();
        if (done.isPresent()) {
          acknowledge(done.get(), true);
          return;
        }
      } catch (CompletionException e) {
        if (e.getCause() instanceof TestudoException told
            && told.outcome() == Outcome.DID_NOT_HAPPEN) {
          return;
        }
      }
      if (end.await(REST_MILLIS, MILLIS) && endedNanos == 0) {
        endedNanos = System.nanoTime();
      }
    }
    countWatch.unresolved();
  }

  /** Ends it, after what it has begun. */
  void stop() {
    end.countDown();
  }

  /** Waits for its end; whether it came in time. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    long untilNanos = System.nanoTime() + limit.toNanos();
    for (Thread thread : new Thread[] {lockThread, countThread}) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime())));
    }
    return !lockThread.isAlive() && !countThread.isAlive();
  }

  @Override
  public void close() {
    stop();
    locks.close();
    objects.close();
    connections.close();
  }
}
