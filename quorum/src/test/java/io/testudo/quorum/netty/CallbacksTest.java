package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where callbacks of applications run, and what they may do there. */
@Timeout(120)
class CallbacksTest {
  private static final Duration GUARD = Duration.ofMinutes(1);

  @Test
  void lastOneOfManyIsRunThoughAllBeforeItWaitForIt() {
    try (Callbacks callbacks = Callbacks.onOwnThreads("test")) {
      CompletableFuture<String> last = new CompletableFuture<>();
      CountDownLatch ended = new CountDownLatch(300);
      for (int number = 0; number < 300; number++) {
        callbacks.execute(
            () -> {
              last.join();
              ended.countDown();
            });
      }
      callbacks.execute(() -> last.complete("done"));
      assertThat(CompletableFuture.runAsync(() -> await(ended))).succeedsWithin(GUARD);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shortOnesTakeNoMoreThreadsThanUsual() {
    try (Callbacks callbacks = Callbacks.onOwnThreads("test-short")) {
      CountDownLatch ended = new CountDownLatch(10_000);
      for (int number = 0; number < 10_000; number++) {
        callbacks.execute(ended::countDown);
      }
      await(ended);
      assertThat(
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().startsWith("test-short"))
                  .count())
          .isLessThanOrEqualTo(2 * GrowingPool.USUAL_THREADS);
    }
  }

  @Test
  void whatComesAfterTheCloseIsRunButNotByWhoeverBringsIt() {
    Callbacks callbacks = Callbacks.onOwnThreads("test");
    callbacks.close();
    assertRunsElsewhere(callbacks);
  }

  @Test
  void anExecutorThatHasEndedHandsNothingBackToTheLoop() {
    Executor ended =
        task -> {
          throw new RejectedExecutionException();
        };
    assertRunsElsewhere(Callbacks.on(ended));
  }

  private static void assertRunsElsewhere(Callbacks callbacks) {
    CompletableFuture<Thread> where = new CompletableFuture<>();
    callbacks.execute(() -> where.complete(Thread.currentThread()));
    assertThat(where)
        .succeedsWithin(GUARD)
        .satisfies(thread -> assertThat(thread).isNotSameAs(Thread.currentThread()));
  }

  @Test
  void nobodyWaitsForALoopWithAMonitorOfOurs() {
    try (ClientLoops loops = ClientLoops.start(1)) {
      var loop = loops.group().next();
      assertThat(Loops.<Integer>await(loop, () -> 7)).isEqualTo(7);
      assertThat(Loops.<Integer>await(loop, () -> Loops.await(loop, () -> 8))).isEqualTo(8);
      synchronized (this) {
        assertThatExceptionOfType(AssertionError.class)
            .isThrownBy(() -> Loops.<Integer>await(loop, () -> 9));
      }
    }
  }
}
