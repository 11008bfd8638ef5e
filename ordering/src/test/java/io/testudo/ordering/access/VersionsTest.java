package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.get;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners on new versions. */
@Timeout(60)
class VersionsTest {
  @AutoClose private final ObjectCluster cluster = ObjectCluster.start(4, 1);
  @AutoClose private final ObjectClient writer = cluster.client("alice");

  @AutoClose
  private final ObjectClient watcher =
      cluster.prepareClient("bob").pollEvery(Duration.ofMillis(10)).build();

  private final CounterObject counter = CounterObject.open(writer, "visits");
  private final ReplicatedObject<Long> watched = CounterObject.open(watcher, "visits").object();

  private static final class Heard<S> implements VersionListener<S> {
    private final LinkedBlockingQueue<Snapshot<S>> versions = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<TestudoException> ends = new LinkedBlockingQueue<>();
    private final List<String> threads = new ArrayList<>();

    @Override
    public void onVersion(Snapshot<S> snapshot) {
      threads.add(Thread.currentThread().getName());
      versions.add(snapshot);
    }

    @Override
    public void onEnd(TestudoException reason) {
      ends.add(reason);
    }

    /** All that is told up to a state. */
    List<Snapshot<S>> until(S last) throws InterruptedException {
      List<Snapshot<S>> told = new ArrayList<>();
      while (told.isEmpty() || !told.get(told.size() - 1).state().equals(last)) {
        Snapshot<S> next = versions.poll(30, SECONDS);
        assertThat(next).as("what follows " + told).isNotNull();
        told.add(next);
      }
      return told;
    }
  }

  @Test
  void tellsEachVersionAtMostOnceInOrderAndTheLastOneInTheEnd() throws Exception {
    Heard<Long> heard = new Heard<>();
    try (Subscription subscription = watched.onVersion(heard)) {
      assertThat(heard.until(0L)).hasSize(1);
      for (int i = 0; i < 50; i++) {
        get(counter.increment());
      }
      List<Snapshot<Long>> told = heard.until(50L);
      for (int i = 1; i < told.size(); i++) {
        assertThat(told.get(i).version()).isGreaterThan(told.get(i - 1).version());
        assertThat(told.get(i).state()).isGreaterThan(told.get(i - 1).state());
      }
      assertThat(heard.threads).allMatch(name -> name.startsWith("testudo-object-"));
      assertThat(subscription).isNotNull();
    }
  }

  @Test
  void tellsTheOwnChangesOfAClientWithoutWaiting() throws Exception {
    try (ObjectClient lazy =
        cluster.prepareClient("carol").pollEvery(Duration.ofHours(1)).build()) {
      CounterObject own = CounterObject.open(lazy, "visits");
      Heard<Long> heard = new Heard<>();
      Subscription subscription = own.object().onVersion(heard);
      assertThat(heard.until(0L)).hasSize(1);
      // A commit is published right after its result is known; reads look again.
      get(own.increment(3));
      while (heard.versions.isEmpty()) {
        get(own.get());
      }
      assertThat(heard.until(3L)).hasSize(1);
      subscription.close();
    }
  }

  /** Nobody would look for an hour. */
  @Test
  void tellsChangesOfOthersWithoutPolling() throws Exception {
    try (ObjectClient lazy =
        cluster.prepareClient("carol").pollEvery(Duration.ofHours(1)).build()) {
      Heard<Long> heard = new Heard<>();
      Subscription subscription = CounterObject.open(lazy, "visits").object().onVersion(heard);
      Heard<Long> second = new Heard<>();
      Subscription other = CounterObject.open(lazy, "visits").object().onVersion(second);
      assertThat(heard.until(0L)).hasSize(1);
      for (long i = 1; i <= 5; i++) {
        get(counter.increment());
        assertThat(heard.until(i)).hasSize(1);
        assertThat(second.until(i)).isNotEmpty();
      }
      subscription.close();
      get(counter.increment());
      assertThat(second.until(6L)).isNotEmpty();
      other.close();
    }
  }

  @Test
  void skipsVersionsWhileAListenerIsBusy() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Heard<Long> heard = new Heard<>();
    Subscription subscription =
        watched.onVersion(
            snapshot -> {
              entered.countDown();
              try {
                assertThat(leave.await(30, SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              heard.onVersion(snapshot);
            });
    assertThat(entered.await(30, SECONDS)).isTrue();
    for (int i = 0; i < 20; i++) {
      get(counter.increment());
    }
    leave.countDown();
    assertThat(heard.until(20L).size()).isLessThan(20);
    subscription.close();
  }

  @Test
  void tellsNothingAfterItWasClosed() throws Exception {
    Heard<Long> heard = new Heard<>();
    Subscription subscription = watched.onVersion(heard);
    assertThat(heard.until(0L)).hasSize(1);
    subscription.close();
    subscription.close();
    Heard<Long> other = new Heard<>();
    Subscription second = watched.onVersion(other);
    get(counter.increment());
    assertThat(other.until(1L)).isNotEmpty();
    second.close();
    assertThat(heard.versions).isEmpty();
  }

  @Test
  void saysThatNothingMoreWillComeOfAClosedClientOrAnObjectOfAnotherType() throws Exception {
    get(counter.increment());
    Heard<Optional<Bytes>> wrong = new Heard<>();
    try (ObjectClient other = cluster.client("carol")) {
      Subscription subscription = RegisterObject.open(other, "visits").object().onVersion(wrong);
      TestudoException reason = wrong.ends.poll(30, SECONDS);
      assertThat(reason).hasMessageContaining("type with number 1");
      subscription.close();
    }
    Heard<Long> heard = new Heard<>();
    Subscription subscription = watched.onVersion(heard);
    assertThat(heard.until(1L)).isNotEmpty();
    watcher.close();
    assertThat(heard.ends.poll(30, SECONDS)).isInstanceOf(ClosedException.class);
    subscription.close();
  }

  @Test
  void staleReadsNeverGoBack() throws Exception {
    long last = 0;
    for (int i = 0; i < 100; i++) {
      get(counter.increment());
      long seen = get(watched.readStaleVersion(Snapshot::version));
      assertThat(seen).isGreaterThanOrEqualTo(last);
      last = seen;
    }
    while (get(watched.readStale(value -> value)) < 100) {
      Thread.onSpinWait(); // The last commit is on its way to the servers.
    }
  }
}
