package io.testudo.quorum.sim;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.spi.Alarm;
import java.util.PriorityQueue;

/** Virtual time: what is to happen, in order. Events of one instant happen in the order added. */
public final class EventQueue {
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private long nowNanos;
  private long added;

  private static final class Entry implements Comparable<Entry>, Alarm.Ring {
    final long atNanos;
    final long order;
    final Runnable task;
    boolean cancelled;

    Entry(long atNanos, long order, Runnable task) {
      this.atNanos = atNanos;
      this.order = order;
      this.task = task;
    }

    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  public EventQueue() {}

  public long nowNanos() {
    return nowNanos;
  }

  public Alarm.Ring after(long delayNanos, Runnable task) {
    checkArgument(delayNanos >= 0, "an event cannot happen in the past");
    Entry entry = new Entry(nowNanos + delayNanos, added++, task);
    entries.add(entry);
    return entry;
  }

  /** Lets the next event happen. False if there is none. */
  public boolean runNext() {
    Entry entry = entries.poll();
    while (entry != null && entry.cancelled) {
      entry = entries.poll();
    }
    if (entry == null) {
      return false;
    }
    nowNanos = entry.atNanos;
    entry.task.run();
    return true;
  }
}
