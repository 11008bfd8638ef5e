package io.testudo.quorum.journal;

import java.util.List;
import java.util.function.Consumer;

/** Something that a machine asked of its journal. */
sealed interface Task {
  /** What a task costs beside its records, in memory. */
  int OVERHEAD_BYTES = 64;

  /** Memory that the task holds until it is done. */
  long pendingBytes();

  /** A record to write. */
  final class Append implements Task {
    private final byte[] record;

    Append(byte[] record) {
      this.record = record;
    }

    byte[] record() {
      return record;
    }

    @Override
    public long pendingBytes() {
      return OVERHEAD_BYTES + (long) record.length;
    }
  }

  /** Records to take the place of all before. */
  record Replace(List<byte[]> snapshot) implements Task {
    @Override
    public long pendingBytes() {
      return OVERHEAD_BYTES
          + snapshot.stream().mapToLong(record -> (long) OVERHEAD_BYTES + record.length).sum();
    }
  }

  /** To be given all records that there are. */
  record Read(Consumer<List<byte[]>> then) implements Task {
    @Override
    public long pendingBytes() {
      return OVERHEAD_BYTES;
    }
  }

  /** A write for its own sake. */
  record Prove() implements Task {
    @Override
    public long pendingBytes() {
      return OVERHEAD_BYTES;
    }
  }

  /** Something to run once all before is durable. */
  record Tell(Runnable then) implements Task {
    @Override
    public long pendingBytes() {
      return OVERHEAD_BYTES;
    }
  }
}
