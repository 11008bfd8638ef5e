package io.testudo.bench.driver;

import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.BlockingCallers;
import io.testudo.bench.measure.BlockingCallers.Turn;
import io.testudo.bench.measure.ClosedLoad;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Round;
import io.testudo.bench.measure.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Callers of one work, connected and ready; and what they must have done in the end. */
final class DriverSession implements AutoCloseable {
  private final PeerWork work;
  private final List<GuardedCount> guarded = new ArrayList<>();
  private final List<PeerCounter> counters = new ArrayList<>();
  private final List<Turnstile> turnstiles = new ArrayList<>();
  private final Session session;
  private boolean hasFailed;

  /**
   * Callers.
   *
   * @param name of their locks and counters, which nobody used before
   * @param clients as many as the work takes, at least
   */
  DriverSession(PeerWork work, String name, List<? extends PeerConnection> clients)
      throws Exception {
    this.work = work;
    for (int i = 0; i < work.objects(); i++) {
      guarded.add(new GuardedCount());
    }
    for (int caller = 0; caller < work.callers(); caller++) {
      int object = caller % work.objects();
      turnstiles.add(
          turnstile(
              clients.get(caller % work.clients()), name + "-" + object, guarded.get(object)));
    }
    this.session =
        work.use() == PeerWork.Use.BLOCKING
            ? new BlockingCallers(
                turnstiles.stream().<Turn>map(it -> completion -> it.takeTurn()).toList(), () -> {})
            : new AsyncCallers(turnstiles);
  }

  private Turnstile turnstile(PeerConnection client, String name, GuardedCount guardedCount)
      throws Exception {
    if (work.kind() == PeerWork.Kind.LOCK) {
      return new Turnstile.OfLock(client.lock(name, work.use()), guardedCount);
    }
    PeerCounter counter = client.counter(name, work.use());
    if (counters.size() < work.objects()) {
      counters.add(counter);
    }
    return new Turnstile.OfCounter(counter);
  }

  /**
   * Has all callers work for so long.
   *
   * @throws MeasurementException if an operation fails or does not end
   */
  Round run(long nanos) throws InterruptedException {
    boolean isDone = false;
    try {
      Round round = new ClosedLoad(BenchClock.system(), work.callers()).run(session, nanos);
      isDone = true;
      return round;
    } finally {
      hasFailed |= !isDone;
    }
  }

  /**
   * Has all callers work while a server is harmed. What they did cannot be checked afterwards.
   *
   * @param harming harms it when it is time
   */
  HarmRecord run(HarmPlan plan, HarmTrial.Harming harming)
      throws IOException, InterruptedException {
    hasFailed = true; // Nobody knows what became of calls that failed.
    HarmRecord record =
        new HarmTrial(plan, session, work.callers(), HarmTrial.DRAIN_MILLIS).run(harming);
    long lost = record.hung() > 0 ? 0 : lost();
    return new HarmRecord(
        record.p99Nanos(),
        record.longestGapNanos(),
        record.failed(),
        record.violations() + lost,
        record.hung(),
        record.answers());
  }

  /** How many increments were answered and are not counted; 0 if that cannot be found out. */
  @SuppressWarnings("CatchingUnchecked") // Whatever a library throws: it does not answer.
  private long lost() throws InterruptedException {
    if (work.kind() != PeerWork.Kind.INCREMENT) {
      return 0;
    }
    CompletableFuture<Long> counted = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                long sum = 0;
                for (PeerCounter counter : counters) {
                  sum += counter.get();
                }
                counted.complete(sum);
              } catch (Exception | LinkageError e) {
                counted.completeExceptionally(e);
              }
            },
            "last look");
    reader.setDaemon(true);
    reader.start();
    long done = turnstiles.stream().mapToLong(Turnstile::done).sum();
    try {
      return Math.max(0, done - counted.get(HarmTrial.DRAIN_MILLIS, TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return 0;
    }
  }

  /**
   * Looks whether all that was answered has happened, once. If an operation failed nobody knows.
   *
   * @throws MeasurementException if not
   */
  void check() throws Exception {
    if (hasFailed) {
      return;
    }
    long done = turnstiles.stream().mapToLong(Turnstile::done).sum();
    long counted = guarded.stream().mapToLong(GuardedCount::count).sum();
    if (work.kind() == PeerWork.Kind.INCREMENT) {
      counted = 0;
      for (PeerCounter counter : counters) {
        counted += counter.get();
      }
    }
    if (counted != done) {
      throw new MeasurementException(
          "%d operations were answered, and %d are counted".formatted(done, counted), null);
    }
  }

  @Override
  public void close() throws IOException {
    session.close();
  }
}
