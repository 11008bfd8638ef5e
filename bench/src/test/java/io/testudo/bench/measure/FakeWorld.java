package io.testudo.bench.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;

/**
 * Time that passes only while the measuring thread waits, and sessions whose operations take as
 * long as the test says: a measurement on one thread, the same every time.
 */
public final class FakeWorld implements BenchClock {
  private record Event(long atNanos, long order, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
  private long nowNanos = 1_000;
  private long scheduled;

  @Override
  public long nanos() {
    return nowNanos;
  }

  @Override
  public void pauseUntil(long nanos) {
    Event next = events.peek();
    if (next == null || next.atNanos() > nanos) {
      nowNanos = Math.max(nowNanos, nanos);
      return;
    }
    events.remove();
    nowNanos = Math.max(nowNanos, next.atNanos());
    next.action().run();
  }

  void after(long nanos, Runnable action) {
    events.add(new Event(nowNanos + nanos, scheduled++, action));
  }

  /** A session whose k-th operation takes so long. */
  public FakeSession session(LongUnaryOperator latencyNanosOf) {
    return new FakeSession(latencyNanosOf);
  }

  /** Remembers what was asked of it. */
  public final class FakeSession implements Session {
    private final LongUnaryOperator latencyNanosOf;
    final List<Long> startedAtNanos = new ArrayList<>();
    final List<Integer> startedBy = new ArrayList<>();
    int underWay;
    int mostUnderWay;
    boolean isClosed;
    long failingOperation = -1;

    /** So long before its end, an operation has what it was for; 0 if it does not say so. */
    long cleaningUpNanos;

    private FakeSession(LongUnaryOperator latencyNanosOf) {
      this.latencyNanosOf = latencyNanosOf;
    }

    @Override
    public void start(int client, Completion completion) {
      long operation = startedAtNanos.size();
      startedAtNanos.add(nowNanos);
      startedBy.add(client);
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      long latencyNanos = latencyNanosOf.applyAsLong(operation);
      if (cleaningUpNanos > 0) {
        after(latencyNanos - cleaningUpNanos, completion::reached);
      }
      after(latencyNanos, () -> end(operation, completion));
    }

    private void end(long operation, Completion completion) {
      underWay--;
      if (operation == failingOperation) {
        completion.failed(new IllegalStateException("refused"));
      } else {
        completion.done();
      }
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
