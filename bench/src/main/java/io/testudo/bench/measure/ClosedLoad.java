package io.testudo.bench.measure;

/**
 * Every client has one operation under way, and starts the next one when it ends: as many
 * outstanding as there are clients.
 */
public final class ClosedLoad implements Load {
  private final BenchClock clock;
  private final int clients;

  public ClosedLoad(BenchClock clock, int clients) {
    this.clock = clock;
    this.clients = clients;
  }

  @Override
  public String name() {
    return "closed";
  }

  @Override
  public Round run(Session session, long durationNanos) throws InterruptedException {
    RoundRecorder recorder = new RoundRecorder(clock, durationNanos);
    recorder.clientsBecameBusy(clients);
    for (int client = 0; client < clients; client++) {
      new Client(session, client, recorder).start();
    }
    return recorder.await();
  }

  /**
   * Its fields need no guard: what starts an operation happens before what ends it, and there is
   * one at a time.
   */
  private final class Client implements Completion {
    private final Session session;
    private final int index;
    private final RoundRecorder recorder;
    private long startNanos;
    private long reachedNanos;
    private boolean hasReached;

    Client(Session session, int index, RoundRecorder recorder) {
      this.session = session;
      this.index = index;
      this.recorder = recorder;
    }

    void start() {
      startAt(clock.nanos());
    }

    private void startAt(long nowNanos) {
      startNanos = nowNanos;
      session.start(index, this);
    }

    @Override
    public void reached() {
      reachedNanos = clock.nanos();
      hasReached = true;
    }

    @Override
    public void done() {
      long nowNanos = clock.nanos();
      recorder.record(startNanos, hasReached ? reachedNanos : nowNanos, nowNanos);
      hasReached = false;
      if (recorder.isOver(nowNanos)) {
        recorder.clientBecameIdle();
      } else {
        startAt(nowNanos);
      }
    }

    @Override
    public void failed(Throwable cause) {
      recorder.fail(cause);
      recorder.clientBecameIdle();
    }
  }
}
