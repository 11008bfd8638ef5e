package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Ticker;

/** The clocks of one node: off by a constant, running fast or slow, standing still on suspend. */
final class SimClock implements Ticker {
  /** An arbitrary date, so that wall times look like wall times. */
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final EventQueue events;
  private final double rate;
  private final double wallRate;
  private final long startNanos;
  private long skewMillis;
  private long farMillis;
  private boolean isFar;

  /** How long the monotonic clock stood still in suspensions that are over. */
  private long stoodStillNanos;

  private long suspendedAtNanos;
  private long suspendedUntilNanos;

  /**
   * Makes the clocks of a node.
   *
   * @param drift by how much the rate errs, positive for fast
   * @param startNanos what the monotonic clock shows at the beginning
   * @param skewMillis by how much the wall clock is off
   * @param isSet whether somebody takes care that the wall clock gets no worse, however long it
   *     runs
   */
  SimClock(EventQueue events, double drift, long startNanos, long skewMillis, boolean isSet) {
    this.events = events;
    this.rate = 1 + drift;
    this.wallRate = isSet ? 1 : rate;
    this.startNanos = startNanos;
    this.skewMillis = skewMillis;
  }

  @Override
  public long nanos() {
    long stillNow = Math.min(events.nowNanos(), suspendedUntilNanos) - suspendedAtNanos;
    return startNanos + (long) ((events.nowNanos() - stoodStillNanos - stillNow) * rate);
  }

  @Override
  public long wallMillis() {
    return EPOCH_MILLIS
        + skewMillis
        + farMillis
        + (long) (events.nowNanos() * wallRate) / NANOS_PER_MILLI;
  }

  long skewMillis() {
    return skewMillis;
  }

  /** Whether nobody has to bear with this clock. */
  boolean isFar() {
    return isFar;
  }

  /** The wall clock is off by so much besides, and always; nobody has to bear with it. */
  void setFar(long millis) {
    farMillis = millis;
    isFar = true;
  }

  /** The wall clock is ahead by so much besides, and always; others bear with it. */
  void setAhead(long millis) {
    farMillis = Math.max(farMillis, millis); // It is never set back where nodes sleep.
  }

  /** Somebody sets the wall clock. */
  void setSkew(long millis) {
    skewMillis = millis;
  }

  /** How long this clock takes, in true time, to show that so much has passed. */
  long trueNanosUntil(long shownNanos) {
    long standsStillNanos = Math.max(0, suspendedUntilNanos - events.nowNanos());
    return standsStillNanos + (long) Math.ceil(shownNanos / rate);
  }

  /** The monotonic clock stands still from now on, for a time or until {@link #resume}. */
  void suspend(long nanos) {
    resume();
    suspendedAtNanos = events.nowNanos();
    suspendedUntilNanos = suspendedAtNanos + nanos;
  }

  /** The clock goes on, if it stood still. */
  void resume() {
    stoodStillNanos += Math.min(events.nowNanos(), suspendedUntilNanos) - suspendedAtNanos;
    suspendedAtNanos = 0;
    suspendedUntilNanos = 0;
  }
}
