package io.testudo.bench.driver;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Callers that work all the time while a server is harmed and mended. A call that fails is made
 * again after a short pause, as an application would.
 */
final class HarmTrial {
  private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double TAIL = 99;
  private static final long PAUSE_MILLIS = 10;

  /** How long after the end a call may still take. */
  static final long DRAIN_MILLIS = 20_000;

  private enum Phase {
    BEFORE,
    DURING,
    AFTER
  }

  private final HarmPlan plan;
  private final Session session;
  private final int callers;
  private final long drainMillis;
  private final ScheduledExecutorService retries =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "retries");
            thread.setDaemon(true);
            return thread;
          });
  private final CountDownLatch idle;
  private final long startNanos = System.nanoTime();

  // All below are guarded by this.
  private final long[] answers;
  private final long[] gapNanos = new long[2];
  private final Map<Phase, Histogram> latencies = new EnumMap<>(Phase.class);
  private Phase phase = Phase.BEFORE;
  private long lastAnswerNanos = startNanos;
  private long failed;
  private long violations;
  private boolean isOver;

  HarmTrial(HarmPlan plan, Session session, int callers, long drainMillis) {
    this.plan = plan;
    this.session = session;
    this.callers = callers;
    this.drainMillis = drainMillis;
    this.answers = new long[plan.slices()];
    this.idle = new CountDownLatch(callers);
  }

  /** Begins the harm, and gives what mends it. */
  interface Harming {
    Harmed begin() throws IOException;
  }

  /** What was harmed. Closing it leaves nothing behind, mended or not. */
  interface Harmed extends AutoCloseable {
    void mend() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
  }

  /** Works through the plan. */
  HarmRecord run(Harming harming) throws IOException, InterruptedException {
    for (int i = 0; i < callers; i++) {
      new Caller(i).start();
    }
    try {
      pauseUntil(plan.before());
      try (Harmed harmed = harming.begin()) {
        enter(Phase.DURING);
        pauseUntil(plan.before() + plan.during());
        enter(Phase.AFTER);
        harmed.mend();
        pauseUntil(plan.slices());
      }
      end();
      boolean unused = idle.await(drainMillis, TimeUnit.MILLISECONDS);
      return record();
    } finally {
      end();
      retries.shutdownNow();
    }
  }

  private void pauseUntil(int slice) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(startNanos + slice * plan.sliceNanos() - System.nanoTime());
  }

  /** Time without an answer counts where it is, also if it goes on. */
  private synchronized void enter(Phase next) {
    noteGap(System.nanoTime());
    phase = next;
  }

  private synchronized void end() {
    if (!isOver) {
      noteGap(System.nanoTime());
      isOver = true;
    }
  }

  private void noteGap(long nowNanos) {
    int place = phase == Phase.BEFORE ? 0 : 1;
    gapNanos[place] = Math.max(gapNanos[place], nowNanos - lastAnswerNanos);
  }

  /** Says whether the caller goes on. */
  private synchronized boolean ended(long beganNanos) {
    long nowNanos = System.nanoTime();
    latencies
        .computeIfAbsent(phase, any -> new Histogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS))
        .recordValue(Math.min(Math.max(0, nowNanos - beganNanos), MAX_LATENCY_NANOS));
    if (isOver) {
      return false;
    }
    noteGap(nowNanos);
    lastAnswerNanos = nowNanos;
    int slice = (int) ((nowNanos - startNanos) / plan.sliceNanos());
    if (slice < answers.length) {
      answers[slice]++;
    }
    return true;
  }

  private synchronized boolean failed(Throwable cause) {
    if (causeOf(cause) instanceof MeasurementException) {
      violations++;
    } else {
      failed++;
    }
    return !isOver;
  }

  private static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  private synchronized HarmRecord record() {
    return new HarmRecord(
        Arrays.stream(Phase.values()).map(this::tail).toList(),
        LongStream.of(gapNanos).boxed().toList(),
        failed,
        violations,
        Math.toIntExact(idle.getCount()),
        Arrays.stream(answers).boxed().toList());
  }

  /** 0 if nothing ended. */
  private long tail(Phase of) {
    Histogram histogram = latencies.get(of);
    return histogram == null ? 0 : histogram.getValueAtPercentile(TAIL);
  }

  private final class Caller implements Completion {
    private final int index;
    private long beganNanos;

    Caller(int index) {
      this.index = index;
    }

    void start() {
      beganNanos = System.nanoTime();
      session.start(index, this);
    }

    @Override
    public void done() {
      if (ended(beganNanos)) {
        start();
      } else {
        idle.countDown();
      }
    }

    @Override
    public void failed(Throwable cause) {
      if (HarmTrial.this.failed(cause)) {
        var unused = retries.schedule(this::start, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        idle.countDown();
      }
    }
  }
}
