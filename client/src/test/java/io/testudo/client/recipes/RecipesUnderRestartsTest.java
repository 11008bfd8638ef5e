package io.testudo.client.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recipes on sockets while one server after the other ends and comes back. */
@Timeout(180)
class RecipesUnderRestartsTest {
  private static final int SERVERS = 4;
  private static final LockOptions ENDLESS = LockOptions.standard().withEndlessRenewal();

  /** What two processes do together, again and again. */
  private static final class Pair {
    private final TestudoClient alice;
    private final TestudoClient bob;
    private long generation;
    private long token;
    private long number;
    private int round;

    Pair(TestudoClient alice, TestudoClient bob) {
      this.alice = alice;
      this.bob = bob;
    }

    void round() throws Exception {
      round++;
      CompletableFuture<Long> arrival = alice.barrier("round", 2).arrive();
      long together = bob.barrier("round", 2).await();
      assertThat(get(arrival)).isEqualTo(together).isGreaterThan(generation);
      generation = together;

      Lease first = alice.semaphore("turn", 1).acquire();
      CompletableFuture<Lease> second = bob.semaphore("turn", 1).acquireAsync();
      assertThat(first.fencingToken()).isGreaterThan(token);
      assertThat(get(bob.semaphore("turn", 1).isHeld(first.fencingToken()))).isTrue();
      assertThat(second.isDone()).isFalse();
      first.close();
      token = get(second).fencingToken();
      assertThat(token).isGreaterThan(first.fencingToken());
      assertThat(get(bob.fencedSequence("numbers").next(token))).isEqualTo(++number);
      get(second).close();

      Lease reader = alice.readWriteLock("page").read().acquire();
      CompletableFuture<Lease> writer = bob.readWriteLock("page").write().acquireAsync();
      assertThat(writer.isDone()).isFalse();
      reader.close();
      get(writer).close();

      CompletableFuture<Void> zero = bob.countDownLatch("latch " + round, 1).whenZero();
      assertThat(get(alice.countDownLatch("latch " + round, 1).countDown("alice"))).isZero();
      get(zero);
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(100, TimeUnit.SECONDS);
  }

  @Test
  void goOnAndKeepWhatIsHeld() throws Exception {
    AtomicBoolean isLost = new AtomicBoolean();
    try (TestudoCluster cluster = TestudoCluster.start(SERVERS, 1);
        TestudoClient alice = cluster.client("alice");
        TestudoClient bob = cluster.client("bob")) {
      Pair pair = new Pair(alice, bob);
      Semaphore permits = alice.semaphore("kept", 1, ENDLESS);
      Lease kept = permits.acquire();
      kept.onLost(() -> isLost.set(true));
      LeaderElection election = alice.leaderElection("leader").start();
      Lease term = election.awaitLeadership();
      for (int server = 0; server < SERVERS; server++) {
        pair.round();
        cluster.stop(server);
        pair.round();
        if (server == 0) {
          term.renew(); // Of locks those that come back know nothing for a while.
          assertThat(election.isLeader()).isTrue();
        }
        cluster.start(server);
      }
      pair.round();
      kept.renew();
      assertThat(get(permits.isHeld(kept.fencingToken()))).isTrue();
      assertThat(isLost).isFalse();
    }
  }

  /** Also what was given back just before. */
  @Test
  void nothingIsLeftOfAClientThatHasEnded() throws Exception {
    try (TestudoCluster cluster = TestudoCluster.start(SERVERS, 1);
        TestudoClient alice = cluster.client("alice")) {
      for (int i = 0; i < 10; i++) {
        cluster.stop(i % SERVERS);
        try (TestudoClient bob = cluster.client("bob-" + i)) {
          Lease lease = bob.semaphore("given back", 1).acquire();
          lease.close();
        }
        assertThat(get(alice.semaphore("given back", 1).available())).isEqualTo(1);
        cluster.start(i % SERVERS);
      }
    }
  }
}
