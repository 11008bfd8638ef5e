package io.testudo.bench.measure;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Operations arrive at a fixed rate, whether earlier ones have ended or not, and any idle client
 * takes the next. Latency counts from the intended start: an operation that had to wait for a
 * client, or for this machine, is as slow as its user would find it. (A load that counts from the
 * actual start omits just the operations that a stall delays.)
 */
public final class OpenLoad implements Load {
  private final BenchClock clock;
  private final int clients;
  private final double opsPerSecond;

  public OpenLoad(BenchClock clock, int clients, double opsPerSecond) {
    this.clock = clock;
    this.clients = clients;
    this.opsPerSecond = opsPerSecond;
  }

  @Override
  public String name() {
    return "open";
  }

  @Override
  public Round run(Session session, long durationNanos) throws InterruptedException {
    RoundRecorder recorder = new RoundRecorder(clock, durationNanos);
    Clients idle = new Clients(session, recorder);
    long arrivals = arrivalsIn(durationNanos);
    for (long arrival = 0; arrival < arrivals; arrival++) {
      long intendedNanos = recorder.startNanos() + nanosOf(arrival);
      waitFor(intendedNanos);
      Client client = idle.take(recorder);
      if (client == null) {
        recordUnstarted(recorder, arrival, arrivals);
        break;
      }
      recorder.clientsBecameBusy(1);
      client.start(intendedNanos);
    }
    return recorder.await();
  }

  long arrivalsIn(long durationNanos) {
    return (long) Math.ceil(durationNanos / 1e9 * opsPerSecond);
  }

  /** When an operation is to start, counted from the begin of the round. */
  long nanosOf(long arrival) {
    return (long) (arrival * 1e9 / opsPerSecond);
  }

  private void waitFor(long intendedNanos) throws InterruptedException {
    while (clock.nanos() - intendedNanos < 0) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      clock.pauseUntil(intendedNanos);
    }
  }

  /**
   * The round is over and these never got a client: they count with what they have waited so far,
   * which is the least that they would have taken.
   */
  private void recordUnstarted(RoundRecorder recorder, long from, long to) {
    long nowNanos = clock.nanos();
    for (long arrival = from; arrival < to; arrival++) {
      recorder.recordLatency(nowNanos - (recorder.startNanos() + nanosOf(arrival)));
    }
  }

  /** The clients without an operation. */
  private final class Clients {
    private final BlockingQueue<Client> idle = new ArrayBlockingQueue<>(clients);
    private final Thread measuring = Thread.currentThread();
    private volatile boolean isAwaited;

    Clients(Session session, RoundRecorder recorder) {
      for (int client = 0; client < clients; client++) {
        idle.add(new Client(session, client, recorder, this));
      }
    }

    /** An idle client, or none if the round is over before there is one. */
    @Nullable Client take(RoundRecorder recorder) throws InterruptedException {
      Client client = idle.poll();
      isAwaited = true;
      while (client == null && !recorder.isOver(clock.nanos())) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        client = idle.poll();
        if (client == null) {
          clock.pauseUntil(recorder.deadlineNanos());
        }
      }
      isAwaited = false;
      return client;
    }

    void add(Client client) {
      idle.add(client);
      // Only where somebody waits: to wake a thread costs as much as the operation.
      if (isAwaited) {
        clock.wake(measuring);
      }
    }
  }

  private final class Client implements Completion {
    private final Session session;
    private final int index;
    private final RoundRecorder recorder;
    private final Clients idle;
    private long intendedNanos;

    Client(Session session, int index, RoundRecorder recorder, Clients idle) {
      this.session = session;
      this.index = index;
      this.recorder = recorder;
      this.idle = idle;
    }

    void start(long intended) {
      intendedNanos = intended;
      session.start(index, this);
    }

    @Override
    public void done() {
      recorder.record(intendedNanos, clock.nanos());
      idle.add(this);
      recorder.clientBecameIdle();
    }

    @Override
    public void failed(Throwable cause) {
      recorder.fail(cause);
      recorder.clientBecameIdle();
    }
  }
}
