package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.spi.Entropy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  @Test
  void whatACallbackThrowsDoesNotReachWhoBroughtIt() {
    List<Throwable> told = new ArrayList<>();
    List<String> run = new ArrayList<>();
    Callbacks callbacks = Callbacks.on(Runnable::run);
    RuntimeException refusal = new RejectedExecutionException("by the callback itself");
    Error error = new AssertionError("of the callback");
    Thread bringing =
        new Thread(
            () -> {
              callbacks.execute(
                  () -> {
                    run.add("first");
                    throw refusal;
                  });
              callbacks.execute(
                  () -> {
                    run.add("second");
                    throw error;
                  });
              run.add("goes on");
            });
    bringing.setUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
    bringing.start();
    assertThat(CompletableFuture.runAsync(() -> join(bringing))).succeedsWithin(GUARD);
    assertThat(run).containsExactly("first", "second", "goes on");
    assertThat(told).containsExactly(refusal, error);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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

  @Test
  void whatIsAskedOnTheLoopFollowsTheStartOfItsMachine() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    try (ClientLoops loops = ClientLoops.start(1);
        NettyClient client =
            NettyClient.connect(
                loops,
                Collections.nCopies(4, nobody),
                ClientCredentials.open("none", "alice"),
                LinkLimits.standard(),
                PingTypes.ALL)) {
      CompletableFuture<ClientMachine> started = new CompletableFuture<>();
      CompletableFuture<TestudoException> answer = new CompletableFuture<>();
      loops
          .group()
          .next()
          .execute(
              () -> {
                // Its start waits behind this task.
                Survey survey = new Survey(Survey.Await.QUORUM, 1_000_000L);
                var unused =
                    started
                        .join()
                        .call(survey)
                        .whenComplete((r, e) -> answer.complete((TestudoException) e));
                await(goOn);
              });
      started.complete(
          client.start(
              new PingClient(Need.PING.thresholds(4, 1), 1_000_000L, Entropy.seeded(1)),
              event -> {}));
      goOn.countDown();
      assertThat(answer)
          .succeedsWithin(GUARD)
          .satisfies(reason -> assertThat(reason).isInstanceOf(NoQuorumException.class));
    }
  }
}
