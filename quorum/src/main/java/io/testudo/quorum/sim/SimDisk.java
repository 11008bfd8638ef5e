package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The disk of one server. What is written becomes durable by a sync, which takes time and serves
 * all that waits. A crash keeps what was synced, and of the rest everything, nothing, or the
 * beginning: a log with checksums and sequence numbers cuts itself at the first hole.
 */
final class SimDisk {
  private static final long MAX_SYNC_NANOS = 2_000_000L;

  private final EventQueue events;
  private final Entropy entropy;
  private List<byte[]> durable = new ArrayList<>();
  private List<byte[]> tail = new ArrayList<>();

  /** The number of the tail's first record, counted over the disk's whole life. */
  private long tailStart;

  private long bytes;

  SimDisk(EventQueue events, Entropy entropy) {
    this.events = events;
    this.entropy = entropy;
  }

  /** What a crash does to the writes that were not synced. */
  void crash(FaultKind fate) {
    int kept =
        switch (fate) {
          case CRASH_KEPT -> tail.size();
          case CRASH_TORN -> entropy.nextInt(tail.size() + 1);
          default -> 0;
        };
    keep(kept);
    tail.forEach(lost -> bytes -= lost.length);
    tailStart += tail.size();
    tail = new ArrayList<>();
  }

  /** Puts other records in the place of all that is there. */
  void format(List<byte[]> records) {
    durable = new ArrayList<>(records);
    tailStart += tail.size();
    tail = new ArrayList<>();
    bytes = records.stream().mapToLong(record -> record.length).sum();
  }

  boolean isSynced() {
    return tail.isEmpty();
  }

  /** What a start would find. */
  List<byte[]> records() {
    return List.copyOf(durable);
  }

  private void keep(int records) {
    durable.addAll(tail.subList(0, records));
    tail = new ArrayList<>(tail.subList(records, tail.size()));
    tailStart += records;
  }

  /**
   * The disk as one start of the server sees it. A crash closes it: nothing that it was asked to do
   * happens any more.
   */
  final class Session implements Journal {
    private final Runnable atWrite;
    private final Consumer<Runnable> awake;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean syncing;
    private boolean closed;

    /**
     * Opens the disk.
     *
     * @param atWrite runs at each write and sync: a chance to crash
     * @param awake runs something as soon as the server moves, if it lives then
     */
    Session(Runnable atWrite, Consumer<Runnable> awake) {
      this.atWrite = atWrite;
      this.awake = awake;
    }

    void close() {
      closed = true;
    }

    @Override
    public List<byte[]> recover() {
      return records();
    }

    @Override
    public void append(byte[] record) {
      if (!closed) {
        tail.add(record);
        bytes += record.length;
        atWrite.run();
      }
    }

    @Override
    public void whenDurable(Runnable then) {
      if (!closed) {
        waiting.add(then);
        syncIfIdle();
      }
    }

    private void syncIfIdle() {
      if (!syncing && !waiting.isEmpty()) {
        syncing = true;
        long upTo = tailStart + tail.size();
        int callbacks = waiting.size();
        events.after(1 + entropy.nextLong(MAX_SYNC_NANOS), () -> synced(upTo, callbacks));
      }
    }

    private void synced(long upTo, int callbacks) {
      if (closed) {
        return;
      }
      atWrite.run();
      if (closed) {
        return;
      }
      // A snapshot may have taken the tail's place while this sync was under way.
      keep((int) Math.max(0, upTo - tailStart));
      syncing = false;
      List<Runnable> ready = new ArrayList<>(waiting.subList(0, callbacks));
      waiting.subList(0, callbacks).clear();
      for (Runnable then : ready) {
        awake.accept(() -> tell(then));
      }
      syncIfIdle();
    }

    private void tell(Runnable then) {
      if (!closed) {
        then.run();
      }
    }

    @Override
    public void replaceAll(List<byte[]> snapshot) {
      if (!closed) {
        atWrite.run(); // A crash before the swap leaves the old log.
      }
      if (!closed) {
        format(snapshot);
        atWrite.run();
      }
    }

    @Override
    public long sizeBytes() {
      return bytes;
    }
  }
}
