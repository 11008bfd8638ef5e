package io.testudo.quorum.journal;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.util.concurrent.Uninterruptibles;
import io.testudo.quorum.spi.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a directory of its own. The machine's loop only queues what it wants; one thread per
 * journal writes it, and syncs once for all that waits. Callbacks go back to the loop.
 *
 * <p>{@link #create} makes the directory of a new server. {@link #open} takes no other: a server
 * whose disk is empty has forgotten what it promised.
 */
public final class FileJournal implements Journal, AutoCloseable {
  /** The longest record, in bytes. */
  public static final int MAX_RECORD_BYTES = 16 << 20;

  /** The longest identity, in bytes. */
  public static final int MAX_IDENTITY_BYTES = LogHeader.MAX_IDENTITY_BYTES;

  private final LogStore store;
  private final TaskQueue queue;
  private final Executor loop;
  private final JournalOptions options;
  private final String directory;
  private final byte[] identity;
  private @Nullable List<byte[]> recovered;
  private @Nullable Thread writer;

  /** Of the loop. Seals that the writer left by itself since the start are not counted. */
  private long sizeBytes;

  private FileJournal(
      JournalFiles files,
      byte[] identity,
      LogStore.Opened opened,
      Executor loop,
      JournalOptions options) {
    this.store = opened.store();
    this.recovered = opened.records();
    this.sizeBytes = store.sizeBytes();
    this.queue = new TaskQueue(options.maxPendingBytes());
    this.loop = loop;
    this.options = options;
    this.directory = files.directory();
    this.identity = identity.clone();
  }

  /**
   * Makes the journal of a new server; its directory may exist, a journal in it may not.
   *
   * @param identity names the cluster and the server; only who knows it can open the journal
   */
  public static void create(Path directory, byte[] identity) throws JournalException {
    create(directory, identity, List.of());
  }

  /** Whether there is a journal, of whomever. */
  public static boolean exists(Path directory) {
    return LogStore.isIn(directory);
  }

  /** As {@link #create(Path, byte[])}, with records that are in it from the beginning. */
  public static void create(Path directory, byte[] identity, List<byte[]> first)
      throws JournalException {
    first.forEach(FileJournal::requireFits);
    checkArgument(
        identity.length <= MAX_IDENTITY_BYTES, "the identity has %s bytes", identity.length);
    try {
      DirectoryFiles.make(directory);
      LogStore.create(new DirectoryFiles(directory), identity, first);
    } catch (JournalException e) {
      throw e;
    } catch (IOException e) {
      throw new JournalException(
          "A journal could not be made in %s (%s); see that this user may and that there is room."
              .formatted(directory, e),
          e);
    }
  }

  /**
   * Opens the journal of a server that was made before, for this process alone.
   *
   * @param loop runs the callbacks; it must neither block nor run them here and now
   */
  public static FileJournal open(
      Path directory, byte[] identity, Executor loop, JournalOptions options)
      throws JournalException {
    FileJournal journal = openIdle(new DirectoryFiles(directory), identity, loop, options);
    Thread thread = new Thread(journal::work, "journal " + directory);
    thread.setDaemon(true);
    journal.writer = thread;
    thread.start();
    return journal;
  }

  /** Opens a journal without a thread: it does nothing but by {@link #commitPending}. */
  static FileJournal openIdle(
      JournalFiles files, byte[] identity, Executor loop, JournalOptions options)
      throws JournalException {
    try {
      LogStore.Opened opened = LogStore.open(files, identity, options.survives());
      return new FileJournal(files, identity, opened, loop, options);
    } catch (JournalException e) {
      throw e;
    } catch (IOException e) {
      throw new JournalException(
          "The journal in %s could not be opened (%s); see that this user may and that there is room."
              .formatted(files.directory(), e),
          e);
    }
  }

  @Override
  public List<byte[]> recover() {
    List<byte[]> records = recovered;
    checkState(records != null, "a journal is recovered once");
    recovered = null;
    return records;
  }

  @Override
  public void append(byte[] record) {
    requireFits(record);
    queue.add(new Task.Append(record));
    sizeBytes += (long) EntryHead.BYTES + record.length;
  }

  @Override
  public void whenDurable(Runnable then) {
    queue.add(new Task.Tell(then));
  }

  @Override
  public void recoverAgain(Consumer<List<byte[]>> then) {
    queue.add(new Task.Read(then));
  }

  @Override
  public void prove(Runnable then) {
    queue.add(new Task.Prove());
    queue.add(new Task.Tell(then));
    sizeBytes += EntryHead.BYTES;
  }

  @Override
  public void replaceAll(List<byte[]> snapshot) {
    List<byte[]> copy = List.copyOf(snapshot);
    copy.forEach(FileJournal::requireFits);
    queue.add(new Task.Replace(copy));
    sizeBytes = LogFile.bytesFor(identity, copy);
  }

  private static void requireFits(byte[] record) {
    checkArgument(
        record.length <= MAX_RECORD_BYTES,
        "a record of %s bytes is longer than %s",
        record.length,
        MAX_RECORD_BYTES);
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Makes everything so far durable and gives the directory free. */
  @Override
  public void close() throws IOException {
    if (!queue.close()) {
      return;
    }
    Thread thread = writer;
    if (thread == null) {
      finish();
    } else {
      Uninterruptibles.joinUninterruptibly(thread);
    }
    store.close();
  }

  /** The life of the writer's thread. */
  private void work() {
    try {
      workUntilClosed();
    } catch (Throwable e) {
      fail(e); // A journal whose thread is gone looks like one that is slow, for ever.
    }
  }

  private void workUntilClosed() {
    while (true) {
      switch (nextWake()) {
        case WORK -> commitPending();
        case IDLE -> settle();
        case CLOSED -> {
          finish();
          return;
        }
      }
    }
  }

  private TaskQueue.Wake nextWake() {
    while (true) {
      try {
        return queue.await();
      } catch (InterruptedException e) {
        // The thread is ours and ends by close: an interrupt from elsewhere must not end it.
      }
    }
  }

  private void finish() {
    commitPending();
    settle();
  }

  /** Does everything that was asked so far, with one sync for all. */
  void commitPending() {
    TaskQueue.Group group = queue.take();
    guarded(() -> commit(group.tasks()));
    queue.done(group);
  }

  private void commit(List<Task> tasks) throws IOException {
    List<Runnable> waiting = new ArrayList<>();
    for (Task task : tasks) {
      if (task instanceof Task.Append append) {
        store.append(append.record());
      } else if (task instanceof Task.Replace replace) {
        store.replaceAll(replace.snapshot());
      } else if (task instanceof Task.Prove) {
        store.seal();
      } else if (task instanceof Task.Read read) {
        List<byte[]> records = store.read();
        waiting.add(() -> read.then().accept(records));
      } else if (task instanceof Task.Tell tell) {
        waiting.add(tell.then());
      }
    }
    if (waiting.isEmpty()) {
      store.flush();
      return;
    }
    store.sync();
    waiting.forEach(this::tell);
  }

  private void tell(Runnable then) {
    try {
      loop.execute(then);
    } catch (RejectedExecutionException e) {
      // The loop has ended before its journal: nobody waits for this any more.
    }
  }

  /** Leaves word on the disk that everything so far is durable, while there is nothing else. */
  void settle() {
    guarded(store::settle);
  }

  private void guarded(DiskWork work) {
    if (queue.isBroken()) {
      return;
    }
    try {
      work.run();
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Whatever it is, nobody knows what is on the disk now. */
  private void fail(Throwable cause) {
    queue.breakOff();
    String line = "The journal failed: the process ends.";
    try {
      line =
          "The journal in %s failed (%s): the process ends, since it can't keep what it promised; mend the disk or make room, then start it again."
              .formatted(directory, cause);
    } finally {
      options.fatalHandler().end(line, cause);
    }
  }

  private interface DiskWork {
    void run() throws IOException;
  }
}
