package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.failure;
import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is chained to futures may block, and waits for nothing but what it waits for itself. */
@Timeout(120)
class BlockingCallbacksTest {
  private static final int MANY = 100;

  @AutoClose private final ObjectCluster cluster = ObjectCluster.start(4, 1);
  @AutoClose private final ObjectClient client = cluster.client("alice");
  private final CounterObject counter = CounterObject.open(client, "visits");

  @Test
  void manyMayJoinFuturesOfTheSameClient() throws Exception {
    List<CompletableFuture<Long>> sums = new ArrayList<>();
    for (int number = 0; number < MANY; number++) {
      sums.add(counter.increment().thenApply(now -> now + counter.getStale().join()));
    }
    for (CompletableFuture<Long> sum : sums) {
      assertThat(get(sum)).isPositive();
    }
  }

  @Test
  void timeoutsFireWhileManyBlock() throws Exception {
    get(counter.increment());
    CompletableFuture<Long> released = new CompletableFuture<>();
    CountDownLatch entered = new CountDownLatch(MANY);
    List<CompletableFuture<Long>> blocked = new ArrayList<>();
    Thread tester = Thread.currentThread();
    for (int number = 0; number < MANY; number++) {
      blocked.add(
          counter
              .getStale()
              .thenApply(
                  now -> {
                    entered.countDown();
                    // If it was here before this was said, this thread is the one to hear of it.
                    return Thread.currentThread() == tester ? now : released.join();
                  }));
    }
    entered.await();
    cluster.stop(new ServerId(1));
    cluster.stop(new ServerId(2));
    assertThat(failure(counter.withTimeout(Duration.ofMillis(50)).get()))
        .isInstanceOf(TestudoException.class);
    released.complete(1L);
    for (CompletableFuture<Long> one : blocked) {
      assertThat(get(one)).isEqualTo(1);
    }
  }

  @Test
  void aListenerThatBlocksKeepsNoOtherFromHearing() throws Exception {
    CompletableFuture<Long> released = new CompletableFuture<>();
    for (int number = 0; number < MANY; number++) {
      var unused = counter.object().onVersion(snapshot -> released.join());
    }
    CompletableFuture<Long> heard = new CompletableFuture<>();
    var unused =
        counter
            .object()
            .onVersion(
                snapshot -> {
                  if (snapshot.state() == 1) {
                    heard.complete(1L);
                  }
                });
    get(counter.increment());
    assertThat(get(heard)).isEqualTo(1);
    released.complete(1L);
  }

  @Test
  void anErrorOfAViewReachesItsCaller() throws Exception {
    get(counter.increment());
    CompletableFuture<Long> read =
        counter
            .object()
            .readVersion(
                snapshot -> {
                  throw new AssertionError("the view is broken");
                });
    assertThat(failure(read)).isInstanceOf(AssertionError.class);
  }
}
