package io.testudo.ordering.access;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.objects.CounterObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A writer and readers that poll, separate clients of one object on real sockets. */
class MixedWorkloadTest {
  private static final int READERS = 8;
  private static final long WRITES = 300;

  /** As many reads each of them does, at least. */
  private static final int READS = 30;

  /** One that reads until it has seen the last write, and counts. */
  private static final class Reader {
    private final CounterObject counter;
    private final AtomicInteger reads = new AtomicInteger();
    private final List<Long> seen = new ArrayList<>();

    Reader(CounterObject counter) {
      this.counter = counter;
    }

    CompletableFuture<Void> readOn() {
      return counter
          .get()
          .thenCompose(
              value -> {
                seen.add(value);
                boolean isDone = reads.incrementAndGet() >= READS && value >= WRITES;
                return isDone ? CompletableFuture.completedFuture(null) : readOn();
              });
    }
  }

  private static CompletableFuture<Void> writeOn(CounterObject counter) {
    return counter
        .increment()
        .thenCompose(
            value -> value >= WRITES ? CompletableFuture.completedFuture(null) : writeOn(counter));
  }

  @Test
  void neitherStarves() throws Exception {
    try (ObjectCluster cluster = ObjectCluster.start(4, 1)) {
      List<Reader> readers = new ArrayList<>();
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Reader reader = new Reader(CounterObject.open(cluster.client("reader" + i), "visits"));
        readers.add(reader);
        ends.add(reader.readOn());
      }
      ends.add(writeOn(CounterObject.open(cluster.client("writer"), "visits")));
      for (CompletableFuture<Void> end : ends) {
        end.get(120, SECONDS);
      }
      for (Reader reader : readers) {
        assertThat(reader.seen).isSorted().hasSizeGreaterThanOrEqualTo(READS);
      }
    }
  }
}
