package io.testudo.node.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AdminThreadsTest {
  @Test
  void slowAskersDoNotStallTheNext() throws Exception {
    ExecutorService threads = AdminEndpoint.threads();
    CountDownLatch dribble = new CountDownLatch(1);
    try {
      for (int i = 0; i < AdminEndpoint.THREADS - 1; i++) {
        threads.execute(
            () -> {
              try {
                dribble.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
      assertThat(CompletableFuture.supplyAsync(() -> "ok", threads).get(30, SECONDS))
          .isEqualTo("ok");
    } finally {
      dribble.countDown();
      threads.shutdownNow();
    }
  }
}
