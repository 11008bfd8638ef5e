package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Throwables;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.netty.NettyClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All forms of the lock at once, over many interleavings: a backend is opened while multi-locks
 * run, requests are cancelled while they are granted, callbacks join others, and the client is
 * closed in the midst of it. Nobody may hang, two may never be inside, and in the end nothing is
 * held.
 */
@Timeout(240)
class BlockingViewsStressTest {
  private static final int ROUNDS = 300;
  private static final int THREADS = 6;
  private static final int DEEDS = 8;
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final LockOptions ALL = FakeBackend.LONG;
  private static final LockOptions QUORUM = ALL.withServers(LockOptions.Servers.QUORUM);

  /** One client in use by some threads. */
  private static final class Round {
    final FakeBackend backend = new FakeBackend();
    final LockClient client;
    volatile boolean closed;

    /** Who is inside, by name; the two machines are two services, so each has its own. */
    final AtomicInteger[] inside = new AtomicInteger[2 * NAMES.size()];

    Round(NettyClient connections) {
      client = LockClient.on(connections, 4, 1).backend(backend).options(ALL).build();
      for (int index = 0; index < inside.length; index++) {
        inside[index] = new AtomicInteger();
      }
    }

    void use(Lease lease, LockOptions options) {
      int half = options.servers() == LockOptions.Servers.QUORUM ? NAMES.size() : 0;
      AtomicInteger here = inside[half + NAMES.indexOf(lease.lockName())];
      assertThat(here.incrementAndGet()).isEqualTo(1);
      here.decrementAndGet();
      lease.close();
    }

    void useAll(MultiLease leases, LockOptions options) {
      leases.lockNames().forEach(name -> use(leases.lease(name), options));
    }

    /** One use of the client, in a form that the seed chooses. */
    void deed(SplittableRandom random) throws Exception {
      LockOptions options = random.nextBoolean() ? ALL : QUORUM;
      String name = NAMES.get(random.nextInt(NAMES.size()));
      DistributedLock lock = client.lock(name, options);
      switch (random.nextInt(7)) {
        case 0 -> use(lock.acquire(), options);
        case 1 -> lock.tryAcquire(Duration.ofMillis(1)).ifPresent(lease -> use(lease, options));
        case 2 -> useAll(client.multiLock(NAMES, options).acquire(), options);
        case 3 -> {
          CompletableFuture<Lease> future = lock.acquireAsync();
          if (!future.cancel(false)) {
            use(future.join(), options);
          }
        }
        case 4 -> lock.acquireAsync().thenAccept(lease -> use(lease, options)).join();
        case 5 -> {
          // Joined inside of a callback, which holds nothing meanwhile.
          CompletableFuture<Lease> first = lock.acquireAsync();
          first
              .thenAccept(
                  lease -> {
                    use(lease, options);
                    useAll(client.multiLock(NAMES, options).acquireAsync().join(), options);
                  })
              .join();
        }
        default -> {
          lock.lock();
          use(lock.currentLease(), options);
          assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
      }
    }

    void run(SplittableRandom random, CyclicBarrier start, int closesBefore) throws Exception {
      start.await();
      for (int deed = 0; deed < DEEDS; deed++) {
        if (deed == closesBefore) {
          closed = true;
          client.close();
        }
        try {
          deed(random);
        } catch (ClosedException | CompletionException e) {
          assertThat(Throwables.getRootCause(e)).isInstanceOf(ClosedException.class);
          assertThat(closed).isTrue();
        } catch (LockLostException e) {
          assertThat(closed).isTrue();
        }
      }
    }
  }

  private static void round(NettyClient connections, long seed, boolean closes) throws Exception {
    Round round = new Round(connections);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    SplittableRandom seeds = new SplittableRandom(seed);
    List<InThread<Boolean>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = seeds.split();
      int closesBefore = closes && thread == 0 ? seeds.nextInt(DEEDS) : DEEDS;
      threads.add(
          InThread.start(
              () -> {
                round.run(random, start, closesBefore);
                return true;
              }));
    }
    for (InThread<Boolean> thread : threads) {
      assertThat(thread.result()).as("seed %s", seed).isTrue();
    }
    if (!closes) {
      for (LockOptions options : List.of(ALL, QUORUM)) {
        try (MultiLease all = round.client.multiLock(NAMES, options).acquire()) {
          assertThat(all.isHeld()).as("seed %s", seed).isTrue();
        }
      }
    }
    round.client.close();
  }

  @Test
  void nobodyHangsAndNothingIsLeftHeld() throws Exception {
    try (NettyClient connections = FakeBackend.connections()) {
      for (long seed = 0; seed < ROUNDS; seed++) {
        round(connections, seed, false);
      }
    }
  }

  @Test
  void nobodyHangsWhenTheClientIsClosedInTheMidst() throws Exception {
    try (NettyClient connections = FakeBackend.connections()) {
      for (long seed = 0; seed < ROUNDS; seed++) {
        round(connections, seed, true);
      }
    }
  }
}
