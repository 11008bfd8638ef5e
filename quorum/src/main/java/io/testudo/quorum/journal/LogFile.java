package io.testudo.quorum.journal;

import io.testudo.quorum.journal.EntryHead.Kind;
import io.testudo.quorum.journal.JournalFiles.OpenFile;
import io.testudo.quorum.journal.JournalOptions.Survives;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** One log, open for writing at its end. Used by one thread at a time. */
final class LogFile implements Closeable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] NOTHING = {};

  private final OpenFile file;
  private final long mark;
  private final Survives survives;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long flushedEnd;
  private long entries;

  /** The file is durable up to here. */
  private long durableEnd;

  private long recordsEnd;

  /** Up to here, something durable claims that the file is durable. */
  private long settledEnd;

  private LogFile(OpenFile file, long mark, Survives survives) {
    this.file = file;
    this.mark = mark;
    this.survives = survives;
  }

  /** Fills a new file with a snapshot, and syncs it, whatever else is synced. */
  static LogFile begin(
      OpenFile file, byte[] identity, long mark, List<byte[]> snapshot, Survives survives)
      throws IOException {
    LogFile log = new LogFile(file, mark, survives);
    new LogHeader(identity, mark, bytesFor(identity, snapshot)).encode(log.buffer);
    for (byte[] record : snapshot) {
      log.append(record);
    }
    log.flush();
    file.force();
    log.startAppending();
    return log;
  }

  /** Goes on behind what was read from a file. */
  static LogFile resume(OpenFile file, LogReader.Contents contents, Survives survives)
      throws IOException {
    LogFile log = new LogFile(file, contents.header().mark(), survives);
    log.flushedEnd = contents.end();
    log.entries = contents.entries();
    file.force();
    log.startAppending();
    return log;
  }

  private void startAppending() {
    durableEnd = end();
    recordsEnd = end();
    settledEnd = end();
  }

  static long bytesFor(byte[] identity, List<byte[]> snapshot) {
    return LogHeader.bytesFor(identity)
        + snapshot.stream().mapToLong(record -> (long) EntryHead.BYTES + record.length).sum();
  }

  long end() {
    return flushedEnd + buffer.position();
  }

  void append(byte[] record) throws IOException {
    put(Kind.RECORD, record);
    recordsEnd = end();
  }

  private void put(Kind kind, byte[] body) throws IOException {
    if (buffer.remaining() < EntryHead.BYTES) {
      flush();
    }
    entries++;
    EntryHead.of(kind, entries, durableEnd, body).encode(mark, buffer);
    int done = 0;
    while (done < body.length) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(buffer.remaining(), body.length - done);
      buffer.put(body, done, part);
      done += part;
    }
  }

  /** Hands over to the file system what is still in memory. */
  void flush() throws IOException {
    int bytes = buffer.position();
    file.write(buffer.flip(), flushedEnd);
    buffer.clear();
    flushedEnd += bytes;
  }

  /** Makes everything appended so far durable. */
  void sync() throws IOException {
    if (durableEnd == end()) {
      return;
    }
    flush();
    if (survives == Survives.POWER_LOSS) {
      file.force();
    }
    durableEnd = end();
  }

  /**
   * Leaves word that all records are durable, so that later damage to any of them is known for what
   * it is.
   */
  void settle() throws IOException {
    if (settledEnd < recordsEnd) {
      seal();
    }
  }

  /** The same, whether it was left before or not. */
  void seal() throws IOException {
    sync();
    put(Kind.SEAL, NOTHING);
    sync();
    settledEnd = recordsEnd;
  }

  /** Everything that was appended. */
  List<byte[]> read(String path) throws IOException {
    sync();
    return LogReader.read(file, path).records();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
