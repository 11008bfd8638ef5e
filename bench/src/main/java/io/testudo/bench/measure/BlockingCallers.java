package io.testudo.bench.measure;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Callers as most applications have them: each a thread that waits for its operation. */
public final class BlockingCallers implements Session {
  private final List<Caller> callers;
  private final Runnable whenClosed;

  /** The operation that a caller repeats. */
  @FunctionalInterface
  public interface Turn {
    /**
     * Waits for its end.
     *
     * @param completion may be told what the operation has {@linkplain Completion#reached reached}
     */
    void take(Completion completion) throws Exception;
  }

  public BlockingCallers(List<Turn> turns, Runnable whenClosed) {
    this.callers = turns.stream().map(Caller::new).toList();
    this.whenClosed = whenClosed;
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
    whenClosed.run();
  }

  /** What it starts when an operation has ended begins without a hand-over of threads. */
  private static final class Caller implements Runnable {
    private final Turn turn;
    private final AtomicReference<@Nullable Completion> next = new AtomicReference<>();
    private final Thread thread;

    Caller(Turn turn) {
      this.turn = turn;
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
        turn.take(completion);
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
