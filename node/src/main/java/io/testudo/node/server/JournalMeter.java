package io.testudo.node.server;

import io.testudo.quorum.spi.Journal;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts what the journals of a server do. */
final class JournalMeter {
  private final LongAdder records = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder snapshots = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();

  long records() {
    return records.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  long snapshots() {
    return snapshots.sum();
  }

  /** How often a step waited for the disk. */
  long waits() {
    return waits.sum();
  }

  /** How long, in all. */
  long waitNanos() {
    return waitNanos.sum();
  }

  /** The same journal, counted. */
  Journal on(Journal journal) {
    return new Journal() {
      @Override
      public List<byte[]> recover() {
        return journal.recover();
      }

      @Override
      public void recoverAgain(Consumer<List<byte[]>> then) {
        journal.recoverAgain(then);
      }

      @Override
      public void prove(Runnable then) {
        journal.prove(then);
      }

      @Override
      public void append(byte[] record) {
        records.increment();
        bytes.add(record.length);
        journal.append(record);
      }

      @Override
      public void whenDurable(Runnable then) {
        long startNanos = System.nanoTime();
        journal.whenDurable(
            () -> {
              waits.increment();
              waitNanos.add(System.nanoTime() - startNanos);
              then.run();
            });
      }

      @Override
      public void replaceAll(List<byte[]> snapshot) {
        snapshots.increment();
        journal.replaceAll(snapshot);
      }

      @Override
      public long sizeBytes() {
        return journal.sizeBytes();
      }
    };
  }
}
