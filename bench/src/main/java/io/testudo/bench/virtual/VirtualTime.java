package io.testudo.bench.virtual;

import io.testudo.quorum.protocol.Moment;
import java.util.PriorityQueue;

/** What is to happen, in order. Events of one instant happen in the order in which they came. */
public final class VirtualTime {
  /** So many events and no end: most runs would go on for ever. */
  public static final long MAX_EVENTS = 20_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A few cancelled events in the queue cost less than to sweep them out. */
  private static final int CANCELLED_WORTH_A_SWEEP = 1_024;

  private final PriorityQueue<Happening> queue = new PriorityQueue<>();
  private final long wallMillisAtStart;
  private final long maxEvents;
  private long nowNanos;
  private long added;
  private long happened;
  private int cancelledInQueue;

  public VirtualTime(long wallMillisAtStart) {
    this(wallMillisAtStart, MAX_EVENTS);
  }

  /**
   * Starts at 0.
   *
   * @param maxEvents after which a run is given up
   */
  public VirtualTime(long wallMillisAtStart, long maxEvents) {
    this.wallMillisAtStart = wallMillisAtStart;
    this.maxEvents = maxEvents;
  }

  /** Something that will happen, unless it is cancelled. */
  public final class Happening implements Comparable<Happening> {
    private final long atNanos;
    private final long order;
    private final Runnable what;
    private boolean cancelled;
    private boolean over;

    private Happening(long atNanos, long order, Runnable what) {
      this.atNanos = atNanos;
      this.order = order;
      this.what = what;
    }

    /** It may have happened already: then nothing changes. */
    public void cancel() {
      if (!over && !cancelled) {
        cancelled = true;
        cancelledInQueue++;
        sweepIfWorthIt();
      }
    }

    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** All clocks of the model show the same. */
  public Moment now() {
    return new Moment(nowNanos, wallMillisAtStart + nowNanos / NANOS_PER_MILLI);
  }

  public Happening after(long delayNanos, Runnable what) {
    Happening happening = new Happening(nowNanos + delayNanos, added++, what);
    queue.add(happening);
    return happening;
  }

  /** Lets the next event happen; false if there is none, or if there were too many. */
  public boolean runNext() {
    Happening next = queue.poll();
    while (next != null && next.cancelled) {
      cancelledInQueue--;
      next = queue.poll();
    }
    if (next == null || ++happened > maxEvents) {
      return false;
    }
    next.over = true;
    nowNanos = next.atNanos;
    next.what.run();
    return true;
  }

  /** Lets all happen that is due until then, and moves on to then; false if it was too much. */
  public boolean runUntil(long untilNanos) {
    boolean[] reached = {false};
    after(untilNanos - nowNanos, () -> reached[0] = true);
    boolean goesOn = true;
    while (!reached[0] && goesOn) {
      goesOn = runNext();
    }
    return reached[0];
  }

  /** Most timers are cancelled long before they are due. */
  private void sweepIfWorthIt() {
    if (cancelledInQueue > CANCELLED_WORTH_A_SWEEP && 2 * cancelledInQueue > queue.size()) {
      queue.removeIf(happening -> happening.cancelled);
      cancelledInQueue = 0;
    }
  }
}
