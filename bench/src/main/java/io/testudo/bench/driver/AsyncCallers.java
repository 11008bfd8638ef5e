package io.testudo.bench.driver;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.Session;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Callers without threads: each begins its next operation where the last one's future ends. */
final class AsyncCallers implements Session {
  private final List<Caller> callers;

  AsyncCallers(List<? extends Turnstile> turnstiles) {
    this.callers = turnstiles.stream().map(Caller::new).toList();
  }

  @Override
  public void start(int client, Completion completion) {
    callers.get(client).start(completion);
  }

  @Override
  public void close() {}

  private static final class Caller {
    private final Turnstile turnstile;

    /** How many operations wait to begin; who makes it one begins them all. */
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile @Nullable Completion completion;

    Caller(Turnstile turnstile) {
      this.turnstile = turnstile;
    }

    /**
     * A future may have ended before anything is chained to it. The next operation then begins in
     * the loop here, not deeper in the stack.
     */
    void start(Completion whenDone) {
      completion = whenDone;
      if (waiting.getAndIncrement() == 0) {
        do {
          begin();
        } while (waiting.decrementAndGet() > 0);
      }
    }

    private void begin() {
      CompletionStage<?> turn;
      try {
        turn = turnstile.beginTurn();
      } catch (RuntimeException | LinkageError e) {
        end(e);
        return;
      }
      var unused = turn.whenComplete((result, failure) -> end(failure));
    }

    private void end(@Nullable Throwable failure) {
      Completion ended = completion;
      if (ended == null) {
        throw new IllegalStateException("nobody asked for this");
      }
      if (failure == null) {
        ended.done();
      } else {
        ended.failed(
            failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure);
      }
    }
  }
}
