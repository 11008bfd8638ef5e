package io.testudo.bench.micro;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.testudo.bench.cluster.TemporaryDirectory;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.journal.JournalOptions.Survives;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A record of 256 bytes into a journal that survives the process, until its loop is told so. */
@State(Scope.Thread)
public class JournalMicro {
  private static final byte[] IDENTITY = "micro".getBytes(US_ASCII);
  private static final int RECORD_BYTES = 256;

  /** When the journal has so much it is replaced, or the disk would fill. */
  private static final long MAX_BYTES = 64L << 20;

  private final byte[] record = new byte[RECORD_BYTES];
  private final Semaphore durable = new Semaphore(0);
  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "journal's loop");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable TemporaryDirectory directory;
  private @Nullable FileJournal journal;

  /** For JMH. */
  public JournalMicro() {}

  /** Opens a new journal. */
  @Setup
  public void open() throws IOException {
    directory = TemporaryDirectory.create();
    FileJournal.create(directory.path(), IDENTITY);
    journal =
        FileJournal.open(
            directory.path(),
            IDENTITY,
            loop,
            JournalOptions.defaults().withSurvives(Survives.PROCESS_DEATH));
    var unused = journal.recover();
  }

  @Benchmark
  public long append() throws InterruptedException {
    FileJournal to = opened();
    to.append(record);
    to.whenDurable(durable::release);
    durable.acquire();
    if (to.sizeBytes() > MAX_BYTES) {
      to.replaceAll(List.of(record));
    }
    return to.sizeBytes();
  }

  private FileJournal opened() {
    if (journal == null) {
      throw new IllegalStateException("it is not open");
    }
    return journal;
  }

  /** Removes it. */
  @TearDown
  public void close() throws IOException {
    if (journal != null) {
      journal.close();
    }
    loop.shutdown();
    if (directory != null) {
      directory.close();
    }
  }
}
