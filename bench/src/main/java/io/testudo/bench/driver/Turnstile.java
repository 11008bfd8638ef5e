package io.testudo.bench.driver;

import io.testudo.bench.measure.MeasurementException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The operation that one caller repeats, in both ways; and how many it has done. */
abstract class Turnstile {
  /** Written by whoever ends an operation, before the next one begins. */
  private volatile long done;

  /** One operation that waits for its end. */
  abstract void takeTurn() throws Exception;

  /** One operation that ends later. */
  abstract CompletionStage<?> beginTurn();

  @SuppressWarnings("NonAtomicVolatileUpdate") // One operation at a time.
  final void countTurn() {
    done = done + 1;
  }

  final long done() {
    return done;
  }

  /** Enters and leaves what a lock guards. */
  static final class OfLock extends Turnstile {
    private final PeerLock lock;
    private final GuardedCount guarded;

    OfLock(PeerLock lock, GuardedCount guarded) {
      this.lock = lock;
      this.guarded = guarded;
    }

    @Override
    void takeTurn() throws Exception {
      lock.lock();
      try {
        guarded.pass();
      } finally {
        lock.unlock();
      }
      countTurn();
    }

    @Override
    CompletionStage<?> beginTurn() {
      return lock.lockAsync()
          .thenCompose(
              held -> {
                guarded.pass();
                return lock.unlockAsync();
              })
          .thenRun(this::countTurn);
    }
  }

  /** Counts, and sees the count grow. */
  static final class OfCounter extends Turnstile {
    private final PeerCounter counter;
    private long last;

    OfCounter(PeerCounter counter) {
      this.counter = counter;
    }

    @Override
    void takeTurn() throws Exception {
      saw(counter.increment());
    }

    @Override
    CompletionStage<?> beginTurn() {
      return counter.incrementAsync().thenAccept(this::saw);
    }

    private void saw(@Nullable Long count) {
      long before = last;
      last = count == null ? before : count;
      if (last <= before) {
        throw new MeasurementException(
            "the count did not grow: %s after %d".formatted(count, before), null);
      }
      countTurn();
    }
  }
}
