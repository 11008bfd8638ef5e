package io.testudo.bench.locking;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import io.testudo.mutex.Lease;
import io.testudo.quorum.TestudoException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clients as applications write them: each a thread that waits for its lock. */
final class BlockingSession implements Session {
  private final LockClients connected;
  private final List<Worker> workers;

  BlockingSession(LockClients connected, List<LockUser> contenders) {
    this.connected = connected;
    this.workers = contenders.stream().map(Worker::new).toList();
    workers.forEach(worker -> worker.thread.start());
  }

  @Override
  public void start(int client, Completion completion) {
    workers.get(client).start(completion);
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.thread.interrupt());
    connected.close();
  }

  /** One client. What it starts when a turn has ended begins without a hand-over of threads. */
  private static final class Worker implements Runnable {
    private final LockUser contender;
    private final AtomicReference<@Nullable Completion> next = new AtomicReference<>();
    private final Thread thread;

    Worker(LockUser contender) {
      this.contender = contender;
      this.thread = new Thread(this, "contender");
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

    private void takeTurn(Completion completion) {
      try {
        try (Lease lease = contender.lock().acquire()) {
          completion.reached();
          contender.pass(lease);
        }
        completion.done();
      } catch (TestudoException | MeasurementException e) {
        completion.failed(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        completion.failed(e);
      }
    }
  }
}
