package io.testudo.bench.measure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A closed loop that ends after a number of operations, whatever time they take. */
public final class CountedLoad {
  private final int clients;

  public CountedLoad(int clients) {
    this.clients = clients;
  }

  /**
   * Has so many operations done by all clients together.
   *
   * @return the time that it took
   * @throws MeasurementException if an operation fails
   */
  public long run(Session session, long operations) throws InterruptedException {
    Countdown countdown = new Countdown(session, operations);
    long startNanos = System.nanoTime();
    for (int client = 0; client < clients; client++) {
      countdown.new Client(client).startNext();
    }
    countdown.idle.await();
    Throwable cause = countdown.failure.get();
    if (cause != null) {
      throw new MeasurementException("an operation failed: " + cause.getMessage(), cause);
    }
    return System.nanoTime() - startNanos;
  }

  private final class Countdown {
    private final Session session;
    private final AtomicLong left;
    private final CountDownLatch idle = new CountDownLatch(clients);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Countdown(Session session, long operations) {
      this.session = session;
      this.left = new AtomicLong(operations);
    }

    private final class Client implements Completion {
      private final int index;

      Client(int index) {
        this.index = index;
      }

      void startNext() {
        if (failure.get() == null && left.decrementAndGet() >= 0) {
          session.start(index, this);
        } else {
          idle.countDown();
        }
      }

      @Override
      public void done() {
        startNext();
      }

      @Override
      public void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        idle.countDown();
      }
    }
  }
}
