package io.testudo.quorum.journal;

import io.testudo.quorum.journal.JournalFiles.OpenFile;
import io.testudo.quorum.journal.JournalOptions.Survives;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/**
 * The directory of a journal. The log has one name; a new log is written whole and synced under
 * another, and takes the name in one step. So at any moment there is exactly one log to recover.
 */
final class LogStore implements Closeable {
  static final String LOG = "journal.log";
  static final String NEW_LOG = "journal.new";

  private static final SecureRandom MARKS = new SecureRandom();

  private final JournalFiles files;
  private final byte[] identity;
  private final Survives survives;
  private final Closeable lock;
  private LogFile log;

  /** An open store and what was in it. */
  record Opened(LogStore store, List<byte[]> records) {}

  private LogStore(
      JournalFiles files, byte[] identity, Survives survives, Closeable lock, LogFile log) {
    this.files = files;
    this.identity = identity;
    this.survives = survives;
    this.lock = lock;
    this.log = log;
  }

  /** Puts an empty log into a directory that has none. */
  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(LOG));
  }

  static void create(JournalFiles files, byte[] identity) throws IOException {
    create(files, identity, List.of());
  }

  static void create(JournalFiles files, byte[] identity, List<byte[]> first) throws IOException {
    Closeable lock = files.lock();
    try (lock) {
      if (files.exists(LOG)) {
        throw new JournalException(
            "%s has a journal, which is never overwritten; name another directory."
                .formatted(files.directory()));
      }
      begin(files, identity, first, Survives.POWER_LOSS).close();
    }
  }

  static Opened open(JournalFiles files, byte[] identity, Survives survives) throws IOException {
    if (!files.exists(LOG)) {
      throw new JournalException(
          "There is no identity record in %s: the disk is empty or lost; re-admit the server."
              .formatted(files.directory()));
    }
    Closeable lock = files.lock();
    boolean opened = false;
    try {
      Opened all = open(files, identity, survives, lock);
      opened = true;
      return all;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  private static Opened open(JournalFiles files, byte[] identity, Survives survives, Closeable lock)
      throws IOException {
    OpenFile file = files.open(LOG);
    boolean resumed = false;
    try {
      LogReader.Contents contents = LogReader.read(file, path(files));
      requireIdentity(files, identity, contents.header());
      LogFile log;
      if (contents.settled()) {
        log = LogFile.resume(file, contents, survives);
        files.deleteIfExists(NEW_LOG);
        files.syncDirectory();
        resumed = true;
      } else {
        // Written anew: it cuts a torn tail, and it does not rely on bytes that we see in memory
        // while an earlier process failed to bring them to the disk.
        log = begin(files, identity, contents.records(), survives);
      }
      return new Opened(new LogStore(files, identity, survives, lock, log), contents.records());
    } finally {
      if (!resumed) {
        file.close();
      }
    }
  }

  private static void requireIdentity(JournalFiles files, byte[] identity, LogHeader header)
      throws JournalException {
    if (!header.isOf(identity)) {
      throw new JournalException(
          "The journal in %s belongs to another server or cluster; name the right directory."
              .formatted(files.directory()));
    }
  }

  /** Writes a new log and gives it its name. */
  private static LogFile begin(
      JournalFiles files, byte[] identity, List<byte[]> snapshot, Survives survives)
      throws IOException {
    files.deleteIfExists(NEW_LOG);
    OpenFile file = files.create(NEW_LOG);
    boolean begun = false;
    try {
      LogFile log = LogFile.begin(file, identity, MARKS.nextLong(), snapshot, survives);
      files.rename(NEW_LOG, LOG);
      files.syncDirectory();
      begun = true;
      return log;
    } finally {
      if (!begun) {
        file.close();
      }
    }
  }

  void append(byte[] record) throws IOException {
    log.append(record);
  }

  /** Hands over to the file system what is still in memory. */
  void flush() throws IOException {
    log.flush();
  }

  /** Makes everything so far durable. */
  void sync() throws IOException {
    log.sync();
  }

  /** Leaves word on the disk that everything so far is durable. */
  void settle() throws IOException {
    log.settle();
  }

  /** The same, and a write in any case. */
  void seal() throws IOException {
    log.seal();
  }

  /** What a recovery would find now. */
  List<byte[]> read() throws IOException {
    return log.read(path(files));
  }

  private static String path(JournalFiles files) {
    return files.directory() + "/" + LOG;
  }

  /** Replaces the log; what was appended to the old one and not written yet is not written. */
  void replaceAll(List<byte[]> snapshot) throws IOException {
    LogFile old = log;
    log = begin(files, identity, snapshot, survives);
    old.close();
  }

  /** Bytes that a recovery would read. */
  long sizeBytes() {
    return log.end();
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      log.close();
    }
  }
}
