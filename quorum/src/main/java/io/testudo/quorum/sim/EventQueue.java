package io.testudo.quorum.sim;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.spi.Alarm;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Virtual time: what is to happen, in order. Events of one instant happen in the order added. */
public final class EventQueue {
  private static final int FIRST_ROOM = 256;

  /** Of a heap whose nodes have four children: half as deep as with two. */
  private static final int CHILDREN = 4;

  /** A heap, the next event first. Its times stand by themselves: they are what is compared. */
  private long[] times = new long[FIRST_ROOM];

  private @Nullable Entry[] entries = new Entry[FIRST_ROOM];
  private int size;
  private long nowNanos;
  private long added;

  private static final class Entry implements Alarm.Ring {
    final long order;
    final Runnable task;
    boolean cancelled;

    Entry(long order, Runnable task) {
      this.order = order;
      this.task = task;
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
    Entry entry = new Entry(added++, task);
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      entries = Arrays.copyOf(entries, 2 * size);
    }
    rise(size++, nowNanos + delayNanos, entry);
    return entry;
  }

  /** Lets the next event happen. False if there is none. */
  public boolean runNext() {
    while (size > 0) {
      long time = times[0];
      Entry next = entry(0);
      size--;
      Entry last = entry(size);
      entries[size] = null;
      if (size > 0) {
        sink(times[size], last);
      }
      if (!next.cancelled) {
        nowNanos = time;
        next.task.run();
        return true;
      }
    }
    return false;
  }

  /** Puts an entry where there is none yet, or further up, before those that come later. */
  private void rise(int from, long time, Entry entry) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / CHILDREN;
      // Of one instant those who came first are before it.
      if (times[parent] <= time) {
        break;
      }
      put(at, times[parent], entry(parent));
      at = parent;
    }
    put(at, time, entry);
  }

  /** Puts an entry first, or further down, behind those that come earlier. */
  private void sink(long time, Entry entry) {
    int at = 0;
    while (CHILDREN * at + 1 < size) {
      int child = earliestOf(CHILDREN * at + 1);
      if (isBefore(time, entry, child)) {
        break;
      }
      put(at, times[child], entry(child));
      at = child;
    }
    put(at, time, entry);
  }

  private int earliestOf(int first) {
    int earliest = first;
    for (int i = first + 1; i < size && i < first + CHILDREN; i++) {
      if (isBefore(times[i], entry(i), earliest)) {
        earliest = i;
      }
    }
    return earliest;
  }

  private boolean isBefore(long time, Entry entry, int other) {
    return time != times[other] ? time < times[other] : entry.order < entry(other).order;
  }

  private void put(int at, long time, Entry entry) {
    times[at] = time;
    entries[at] = entry;
  }

  private Entry entry(int at) {
    return Objects.requireNonNull(entries[at]);
  }
}
