package io.testudo.client.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.StaleFenceException;
import io.testudo.quorum.ClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Recipes on sockets. */
@Timeout(120)
class RecipesTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Dead holders keep what they have for so long, on a busy machine too. */
  private static final LockOptions SHORT =
      LockOptions.standard().withHold(Duration.ofSeconds(2)).withEndlessRenewal();

  private static TestudoCluster cluster;
  private static TestudoClient alice;
  private static TestudoClient bob;

  @BeforeAll
  static void start() {
    cluster = TestudoCluster.start(4, 1);
    alice = cluster.client("alice");
    bob = cluster.client("bob");
  }

  @AfterAll
  static void stop() {
    bob.close();
    alice.close();
    cluster.close();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void givesOutAsManyPermitsAsThereAre(TestInfo test) throws Exception {
    Semaphore ours = alice.semaphore(test.getDisplayName(), 2);
    Semaphore theirs = bob.semaphore(test.getDisplayName(), 2);
    Lease first = ours.acquire();
    Lease second = theirs.acquire();
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    assertThat(ours.tryAcquire()).isEmpty();
    assertThat(theirs.tryAcquire(Duration.ofMillis(1))).isEmpty();
    assertThat(get(ours.available())).isZero();
    CompletableFuture<Lease> waiting = ours.acquireAsync();
    second.close();
    Lease third = get(waiting);
    assertThat(third.fencingToken()).isGreaterThan(second.fencingToken());
    assertThat(get(theirs.isHeld(second.fencingToken()))).isFalse();
    assertThat(get(theirs.isHeld(third.fencingToken()))).isTrue();
    assertThat(third.isHeld()).isTrue();
    third.renew();
    first.close();
    third.close();
    assertThatThrownBy(third::renew).isInstanceOf(LeaseLostException.class);
    try (Lease both = theirs.permits(2).acquire()) {
      assertThat(ours.tryAcquire()).isEmpty();
      assertThat(both.isHeld()).isTrue();
    }
    assertThat(ours.acquire().isHeld()).isTrue();
    assertThatThrownBy(() -> ours.permits(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bob.semaphore(test.getDisplayName(), 3).acquire())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is of 2, not of 3");
  }

  @Test
  void givesBackWhatNobodyWantsAnyMore(TestInfo test) throws Exception {
    Semaphore semaphore = alice.semaphore(test.getDisplayName(), 1);
    Lease held = semaphore.acquire();
    CompletableFuture<Lease> cancelled = semaphore.acquireAsync();
    cancelled.cancel(false);
    Thread.currentThread().interrupt();
    assertThatThrownBy(semaphore::acquire).isInstanceOf(InterruptedException.class);
    assertThat(semaphore.tryAcquire(Duration.ofMillis(10))).isEmpty();
    held.close();
    try (Lease next = bob.semaphore(test.getDisplayName(), 1).acquire()) {
      assertThat(next.isHeld()).isTrue();
    }
    assertThat(cancelled.isCancelled()).isTrue();
  }

  @Test
  void takesPermitsOfTheDeadAway(TestInfo test) throws Exception {
    // Not renewed: to others, one that hangs looks as if it were dead.
    Lease dead = bob.semaphore(test.getDisplayName(), 1, SHORT.withoutAutoRenewal()).acquire();
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    dead.onLost(() -> told.complete(dead.isHeld()));
    try (Lease next = alice.semaphore(test.getDisplayName(), 1, SHORT).acquire()) {
      assertThat(next.fencingToken()).isGreaterThan(dead.fencingToken());
      assertThat(dead.isHeld()).isFalse();
    }
    assertThat(get(told)).isFalse();
  }

  @Test
  void letsReadersInTogetherAndWritersAlone(TestInfo test) throws Exception {
    ReadWriteLock ours = alice.readWriteLock(test.getDisplayName());
    ReadWriteLock theirs = bob.readWriteLock(test.getDisplayName());
    Lease reader = ours.read().acquire();
    Lease other = theirs.read().acquire();
    CompletableFuture<Lease> writer = theirs.write().acquireAsync();
    assertThat(ours.write().tryAcquire()).isEmpty();
    // Fair to writers: a reader does not pass the one who waits.
    assertThat(awaitRefusal(ours.read())).isTrue();
    CompletableFuture<Lease> later = ours.read().acquireAsync();
    reader.close();
    other.close();
    Lease writes = get(writer);
    assertThat(later.isDone()).isFalse();
    assertThat(writes.fencingToken()).isGreaterThan(other.fencingToken());
    writes.close();
    assertThat(get(later).fencingToken()).isGreaterThan(writes.fencingToken());
  }

  /** The writer's request may still be under way. */
  private static boolean awaitRefusal(LeaseSource readers) throws InterruptedException {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < LONG.toNanos()) {
      var lease = readers.tryAcquire();
      if (lease.isEmpty()) {
        return true;
      }
      lease.get().close();
    }
    return false;
  }

  @Test
  void countsDownOnce(TestInfo test) throws Exception {
    CountDownLatch ours = alice.countDownLatch(test.getDisplayName(), 3);
    CountDownLatch theirs = bob.countDownLatch(test.getDisplayName(), 3);
    assertThat(ours.await(Duration.ofMillis(1))).isFalse();
    CompletableFuture<Void> zero = ours.whenZero();
    assertThat(get(theirs.countDown("a"))).isEqualTo(2);
    assertThat(get(ours.countDown("a"))).isEqualTo(2);
    assertThat(get(ours.countDown())).isEqualTo(1);
    assertThat(zero.isDone()).isFalse();
    assertThat(get(theirs.countDown("b"))).isZero();
    get(zero);
    theirs.await();
    assertThat(get(theirs.countDown())).isZero();
    assertThat(get(ours.count())).isZero();
    assertThatThrownBy(() -> get(alice.countDownLatch(test.getDisplayName(), 4).countDown()))
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void gathersAtABarrierAgainAndAgain(TestInfo test) throws Exception {
    Barrier ours = alice.barrier(test.getDisplayName(), 2);
    Barrier theirs = bob.barrier(test.getDisplayName(), 2);
    assertThat(ours.await(Duration.ofMillis(50))).isEmpty();
    long last = 0;
    for (int round = 0; round < 3; round++) {
      CompletableFuture<Long> one = ours.arrive();
      long generation = theirs.await();
      assertThat(get(one)).isEqualTo(generation).isGreaterThan(last);
      last = generation;
    }
    CompletableFuture<Long> gone = ours.arrive();
    gone.cancel(false);
    assertThat(ours.await(Duration.ofMillis(1))).isEmpty(); // Behind it: nobody can meet it now.
    assertThat(theirs.await(Duration.ofMillis(200)).isPresent()).isFalse();
  }

  @Test
  void givesNumbersToThoseWhoAreNotTooLate(TestInfo test) throws Exception {
    FencedSequence ours = alice.fencedSequence(test.getDisplayName());
    FencedSequence theirs = bob.fencedSequence(test.getDisplayName());
    assertThat(get(ours.next(5))).isEqualTo(1);
    assertThat(get(ours.reserve(5, 10))).isEqualTo(2);
    assertThat(get(theirs.next(6))).isEqualTo(12);
    assertThatThrownBy(() -> get(ours.next(5))).hasCauseInstanceOf(StaleFenceException.class);
    get(ours.fence(9));
    assertThatThrownBy(() -> get(theirs.next(8))).hasCauseInstanceOf(StaleFenceException.class);
    assertThat(get(theirs.last())).isEqualTo(12);
  }

  @Test
  void givesBackWhenTheClientIsClosed(TestInfo test) throws Exception {
    CompletableFuture<Lease> waiting;
    CompletableFuture<Boolean> lost = new CompletableFuture<>();
    try (TestudoClient carol = cluster.client("carol")) {
      Lease held = carol.semaphore(test.getDisplayName(), 1).acquire();
      held.onLost(() -> lost.complete(true));
      waiting = carol.semaphore(test.getDisplayName(), 1).acquireAsync();
    }
    assertThat(get(lost)).isTrue();
    assertThatThrownBy(() -> get(waiting)).hasCauseInstanceOf(ClosedException.class);
    assertThat(alice.semaphore(test.getDisplayName(), 1).tryAcquire(LONG)).isPresent();
  }

  /** Contenders of one name; who leads is told, and nobody leads beside another. */
  @Test
  void hasOneLeaderAtATime(TestInfo test) throws Exception {
    Set<Long> terms = ConcurrentHashMap.newKeySet();
    List<String> heard = new ArrayList<>();
    LeadershipListener listener =
        new LeadershipListener() {
          @Override
          public void gained(Lease term) {
            synchronized (heard) {
              heard.add("gained " + term.fencingToken());
            }
            terms.add(term.fencingToken());
          }

          @Override
          public void lost(Lease term) {
            synchronized (heard) {
              heard.add("lost " + term.fencingToken());
            }
          }
        };
    LeaderElection ours = alice.leaderElection(test.getDisplayName()).listen(listener).start();
    Lease first = ours.awaitLeadership();
    assertThat(ours.isLeader()).isTrue();
    LeaderElection theirs = bob.leaderElection(test.getDisplayName()).start();
    CompletableFuture<Lease> second = theirs.whenLeader();
    assertThat(second.isDone()).isFalse();
    ours.resign();
    assertThat(get(second).fencingToken()).isGreaterThan(first.fencingToken());
    assertThat(ours.isLeader()).isFalse();
    assertThat(first.isHeld()).isFalse();
    CompletableFuture<Lease> again = ours.whenLeader();
    theirs.close();
    assertThat(theirs.isLeader()).isFalse();
    Lease third = get(again);
    assertThat(third.fencingToken()).isGreaterThan(second.join().fencingToken());
    ours.close();
    assertThatThrownBy(ours::awaitLeadership).isInstanceOf(ClosedException.class);
    synchronized (heard) {
      assertThat(heard.subList(0, 2))
          .containsExactly("gained " + first.fencingToken(), "lost " + first.fencingToken());
    }
    assertThat(terms).contains(third.fencingToken());
  }

  @Test
  void refusesOptionsThatMeanNothingHere() {
    assertThatThrownBy(() -> alice.semaphore("odd", 1, LockOptions.standard().withReentrance(true)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> alice.semaphore("odd", 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> alice.barrier("odd", 1_000))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
