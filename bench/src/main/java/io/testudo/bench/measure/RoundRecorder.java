package io.testudo.bench.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Counts the operations of a round, on any number of threads, and lets the measuring thread wait
 * for them. Throughput counts what ended within the round; latencies count everything that was
 * begun, for to leave out the last, slow operations would flatter.
 */
final class RoundRecorder {
  /** Longer latencies count as this one. */
  static final long MAX_LATENCY_NANOS = 120_000_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;

  private final BenchClock clock;
  private final long durationNanos;
  private final long startNanos;
  private final Thread measuring = Thread.currentThread();
  private final AtomicHistogram latencies =
      new AtomicHistogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
  private final LongAdder endedInTime = new LongAdder();
  private final AtomicInteger busyClients = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean isDraining;

  /** The round begins now. */
  RoundRecorder(BenchClock clock, long durationNanos) {
    this.clock = clock;
    this.durationNanos = durationNanos;
    this.startNanos = clock.nanos();
  }

  long startNanos() {
    return startNanos;
  }

  long deadlineNanos() {
    return startNanos + durationNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - deadlineNanos() >= 0 || failure.get() != null;
  }

  void clientsBecameBusy(int clients) {
    busyClients.addAndGet(clients);
  }

  /** An operation that was to start at one time ended at another. */
  void record(long fromNanos, long nowNanos) {
    record(fromNanos, nowNanos, nowNanos);
  }

  /** As {@link #record(long, long)}, for one that had what it was for before it ended. */
  void record(long fromNanos, long reachedNanos, long nowNanos) {
    recordLatency(reachedNanos - fromNanos);
    if (nowNanos - deadlineNanos() <= 0) {
      endedInTime.increment();
    }
  }

  void recordLatency(long nanos) {
    latencies.recordValue(Math.max(0, Math.min(nanos, MAX_LATENCY_NANOS)));
  }

  /** The client has no operation under way any more. */
  void clientBecameIdle() {
    if (busyClients.decrementAndGet() == 0 && isDraining) {
      clock.wake(measuring);
    }
  }

  /** Ends the round: no client starts another operation. */
  void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    clock.wake(measuring);
  }

  /** Waits until every client is idle. */
  Round await() throws InterruptedException {
    long lastNanos = deadlineNanos() + Load.DRAIN_NANOS;
    isDraining = true;
    while (busyClients.get() > 0 && failure.get() == null) {
      if (Thread.interrupted()) {
        InterruptedException interruption = new InterruptedException("the measurement was ended");
        fail(interruption);
        throw interruption;
      }
      if (clock.nanos() - lastNanos >= 0) {
        throw new MeasurementException(
            "%d operations did not end within %d s after the round"
                .formatted(busyClients.get(), TimeUnit.NANOSECONDS.toSeconds(Load.DRAIN_NANOS)),
            null);
      }
      clock.pauseUntil(lastNanos);
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw new MeasurementException("an operation failed: " + cause.getMessage(), cause);
    }
    return round();
  }

  private Round round() {
    long operations = endedInTime.sum();
    return new Round(
        operations,
        operations * 1e9 / durationNanos,
        latencies.getValueAtPercentile(50),
        latencies.getValueAtPercentile(99),
        latencies.getMaxValue());
  }
}
