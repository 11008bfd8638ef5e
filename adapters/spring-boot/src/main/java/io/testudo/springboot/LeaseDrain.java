package io.testudo.springboot;

import io.testudo.client.ClientListener;
import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.SmartLifecycle;

/**
 * Lets those who hold a lock finish before the client is closed. It ends after the web server and
 * the schedulers, which begin nothing new then.
 */
final class LeaseDrain implements SmartLifecycle, ClientListener {
  /** Schedulers are at half of the largest number, web servers close to it. */
  private static final int PHASE = Integer.MAX_VALUE / 4;

  private final Duration longest;
  private final AtomicInteger held = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private volatile boolean running;
  private volatile boolean stopping;

  LeaseDrain(TestudoClient client, Duration longest) {
    this.longest = longest;
    // As long as the client, which ends with the same context.
    TestudoClient.Registration unused = client.listen(this);
  }

  @Override
  public LockObserver requested(String lock) {
    return new LockObserver() {
      @Override
      public void acquired(Lease lease) {
        held.incrementAndGet();
      }

      @Override
      public void released() {
        ended();
      }

      @Override
      public void lost() {
        ended();
      }
    };
  }

  private void ended() {
    if (held.decrementAndGet() == 0 && stopping) {
      drained.complete(null);
    }
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    stop(() -> {});
  }

  @Override
  public void stop(Runnable callback) {
    stopping = true;
    running = false;
    if (held.get() == 0 || longest.isZero()) {
      drained.complete(null);
    }
    CompletableFuture<Void> unused =
        drained
            .completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(callback);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
