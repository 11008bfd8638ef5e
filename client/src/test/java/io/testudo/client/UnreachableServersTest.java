package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.LeaseSource;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLock;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.ClusterSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * While no server can be reached every call with a deadline ends: the table in docs/client.md. That
 * they do so at all is what is asserted, and the guard of this class is far above all deadlines.
 */
@Timeout(60)
class UnreachableServersTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path directory;
  private TestudoClient client;

  @BeforeEach
  void connect() throws IOException {
    ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
    Path keys = directory.resolve("client.keys");
    secrets.clientKeyring("town", "alice", 4, Set.of("")).write(keys);
    List<String> nowhere = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        nowhere.add("127.0.0.1:" + closed.getLocalPort());
      }
    }
    client =
        TestudoClient.builder()
            .cluster("town", 1, nowhere.toArray(new String[0]))
            .principal("alice")
            .administers()
            .keys(keys)
            .timeout(SHORT)
            .connect();
  }

  @AfterEach
  void close() {
    client.close(); // It waits for nobody either.
  }

  private static final class Calls {
    private final Map<String, CompletableFuture<?>> all = new LinkedHashMap<>();

    void add(String name, CompletableFuture<?> call) {
      all.put(name, call);
    }

    void assertAllFail() {
      all.forEach(
          (name, call) ->
              assertThatThrownBy(call::join)
                  .as(name)
                  .isInstanceOf(CompletionException.class)
                  .hasCauseInstanceOf(TestudoException.class));
    }
  }

  @Test
  void operationsOnObjectsEnd() {
    Calls calls = new Calls();
    calls.add("counter", client.counter("c").increment());
    calls.add("counter, read", client.counter("c").get());
    calls.add("counter, stale", client.counter("c").getStale());
    calls.add("map", client.map("m").put("k", "v"));
    calls.add("map, read", client.map("m").get("k"));
    calls.add("queue", client.queue("q").poll());
    calls.add("register", client.register("r").set("x"));
    calls.add("log", client.log("l").append("x"));
    calls.assertAllFail();
  }

  @Test
  void whatRecipesAskOfTheirObjectsEnds() {
    Calls calls = new Calls();
    calls.add("available", client.semaphore("s", 2).available());
    calls.add("isHeld", client.semaphore("s", 2).isHeld(1));
    calls.add("countDown", client.countDownLatch("d", 2).countDown());
    calls.add("countDown by name", client.countDownLatch("d", 2).countDown("me"));
    calls.add("count", client.countDownLatch("d", 2).count());
    calls.add("next", client.fencedSequence("f").next(1));
    calls.add("reserve", client.fencedSequence("f").reserve(1, 5));
    calls.add("fence", client.fencedSequence("f").fence(1));
    calls.add("last", client.fencedSequence("f").last());
    calls.assertAllFail();
  }

  /** All at once; each by an exception of ours, or by saying that there is nothing. */
  private static void assertEnd(List<Callable<?>> calls) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (Callable<?> call : calls) {
        ends.add(threads.submit(call));
      }
      for (Future<?> end : ends) {
        Object given;
        try {
          given = end.get();
        } catch (ExecutionException e) {
          assertThat(e).hasRootCauseInstanceOf(TestudoException.class);
          continue;
        }
        assertThat(given).isIn(Optional.empty(), OptionalLong.empty(), false);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void locksEndWhenTheirWaitIsOver() throws Exception {
    LockOptions limited = LockOptions.standard().withMaxWait(SHORT);
    DistributedLock lock = client.lock("work", limited);
    DistributedLock patient = client.lock("work");
    MultiLock both = client.multiLock(Set.of("one", "two"), limited);
    assertEnd(
        List.of(
            lock::acquire,
            () -> lock.acquireAsync().join(),
            () -> {
              lock.lock();
              return true;
            },
            () -> {
              lock.lockInterruptibly();
              return true;
            },
            patient::tryAcquire,
            () -> patient.tryAcquire(SHORT),
            patient::tryLock,
            () -> patient.tryLock(200, TimeUnit.MILLISECONDS),
            both::acquire,
            () -> both.acquireAsync().join(),
            () -> client.multiLock(Set.of("one", "two")).tryAcquire(SHORT)));
  }

  @Test
  void recipesEndWhenTheirWaitIsOver() throws Exception {
    LockOptions limited = LockOptions.standard().withMaxWait(SHORT);
    List<Callable<?>> calls = new ArrayList<>();
    for (LeaseSource source :
        List.of(
            client.semaphore("s", 2, limited),
            client.semaphore("s", 2, limited).permits(2),
            client.readWriteLock("rw", limited).read(),
            client.readWriteLock("rw", limited).write())) {
      calls.add(source::acquire);
      calls.add(() -> source.acquireAsync().join());
      calls.add(() -> source.tryAcquire(SHORT));
      calls.add(source::tryAcquire);
    }
    // Whether the others went on is for servers to say: it waits for them for a hold.
    LockOptions brief = limited.withHold(SHORT);
    calls.add(() -> client.barrier("b", 2, brief.withoutMaxWait()).await(SHORT));
    calls.add(() -> client.barrier("b", 2, brief).await());
    calls.add(() -> client.countDownLatch("d", 2).await(SHORT));
    assertEnd(calls);
  }

  @Test
  void aCandidateIsWaitedForNoLongerThanSaid() throws InterruptedException {
    try (LeaderElection election = client.leaderElection("boss").start()) {
      assertThat(election.awaitLeadership(SHORT)).isEmpty();
      assertThat(election.isLeader()).isFalse();
    }
  }

  @Test
  void whatWaitsForALeadershipHasALimit() {
    try (LeaderElection election = client.leaderElection("boss")) {
      List<CompletableFuture<Lease>> waits = new ArrayList<>();
      CompletableFuture<Lease> last;
      do {
        last = election.whenLeader();
        waits.add(last);
      } while (waits.size() <= 4_096);
      assertThatThrownBy(last::join).hasCauseInstanceOf(OverloadedException.class);
      assertThat(waits.get(0).cancel(false)).isTrue();
      CompletableFuture<Lease> again = election.whenLeader(); // There is room for one.
      assertThatThrownBy(election.whenLeader()::join).hasCauseInstanceOf(OverloadedException.class);
      assertThat(again).isNotDone();
    }
  }

  @Test
  void aStatusIsNotWaitedFor() throws InterruptedException {
    assertThat(client.status(SHORT).hasQuorum()).isFalse();
    assertThat(client.status().hasQuorum()).isFalse();
  }

  /** What was held when the servers went away can be renewed no more, and is given back at once. */
  @Test
  void leasesOfServersThatAreGoneEnd() throws InterruptedException {
    try (TestudoCluster cluster = TestudoCluster.start(1, 0);
        TestudoClient holder = cluster.client()) {
      LockOptions brief = LockOptions.standard().withHold(Duration.ofSeconds(1));
      Lease lease = holder.lock("work", brief).acquire();
      Lease permit = holder.semaphore("s", 1, brief).acquire();
      for (Lease held : List.of(lease, permit)) {
        for (int i = 0; i < Lease.MAX_LISTENERS; i++) {
          held.onLost(() -> {});
        }
        assertThatThrownBy(() -> held.onLost(() -> {})).isInstanceOf(OverloadedException.class);
      }
      cluster.stop(0);
      assertThatThrownBy(lease::renew).isInstanceOf(TestudoException.class);
      assertThatThrownBy(permit::renew).isInstanceOf(TestudoException.class);
      lease.close();
      permit.close();
    }
  }
}
