package io.testudo.bench.measure;

/** A way to give a session work for a while. */
public interface Load {
  /** How much longer than a round its last operations may take before the round fails. */
  long DRAIN_NANOS = 30_000_000_000L;

  /**
   * Gives work for so long, and waits until no operation is under way.
   *
   * @throws MeasurementException if an operation fails or does not end
   */
  Round run(Session session, long durationNanos) throws InterruptedException;

  /** How the rows call it: {@code closed} or {@code open}. */
  String name();
}
