package io.testudo.bench.peers;

import io.testudo.bench.measure.BenchClock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How long a run will still take, judged by how long it took so far for what it had planned. */
final class Remaining {
  private final BenchClock clock;
  private final long startNanos;
  private final long plannedNanos;
  private long doneNanos;

  /**
   * A run begins.
   *
   * @param plannedNanos how long all of it would take if nothing took longer than planned
   */
  Remaining(BenchClock clock, long plannedNanos) {
    this.clock = clock;
    this.startNanos = clock.nanos();
    this.plannedNanos = plannedNanos;
  }

  /** A part is over that was planned to take so long. */
  void passed(long nanos) {
    doneNanos = Math.min(plannedNanos, doneNanos + nanos);
  }

  /** For people: minutes and seconds. */
  String text() {
    double slowness =
        doneNanos == 0 ? 1 : Math.max(1, (double) (clock.nanos() - startNanos) / doneNanos);
    long seconds = TimeUnit.NANOSECONDS.toSeconds((long) ((plannedNanos - doneNanos) * slowness));
    return String.format(Locale.ROOT, "%d:%02d left", seconds / 60, seconds % 60);
  }
}
