package io.testudo.bench.driver;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.Session;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Callers as most applications have them: each a thread that waits for its operation. */
final class BlockingCallers implements Session {
  private final List<Caller> callers;

  BlockingCallers(List<? extends Turnstile> turnstiles) {
    this.callers = turnstiles.stream().map(Caller::new).toList();
    callers.forEach(caller -> caller.thread.start());
  }

  @Override
  public void start(int client, Completion completion) {
    callers.get(client).start(completion);
  }

  /** A thread that hangs in a call stays, and ends with the process. */
  @Override
  public void close() {
    callers.forEach(caller -> caller.thread.interrupt());
  }

  /** What it starts when an operation has ended begins without a hand-over of threads. */
  private static final class Caller implements Runnable {
    private final Turnstile turnstile;
    private final AtomicReference<@Nullable Completion> next = new AtomicReference<>();
    private final Thread thread;

    Caller(Turnstile turnstile) {
      this.turnstile = turnstile;
      this.thread = new Thread(this, "caller");
      thread.setDaemon(true);
    }

    void start(Completion whenDone) {
      next.set(whenDone);
      if (Thread.currentThread() != thread) {
        LockSupport.unpark(thread);
      }
    }

    @Override
    public void run() {
      while (!Thread.currentThread().isInterrupted()) {
        Completion completion = next.getAndSet(null);
        if (completion == null) {
          LockSupport.park(this);
        } else {
          takeTurn(completion);
        }
      }
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a library throws ends the round.
    private void takeTurn(Completion completion) {
      try {
        turnstile.takeTurn();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        completion.failed(e);
        return;
      } catch (Exception | LinkageError e) {
        completion.failed(e);
        return;
      }
      completion.done();
    }
  }
}
