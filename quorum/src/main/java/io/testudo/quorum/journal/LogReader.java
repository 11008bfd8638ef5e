package io.testudo.quorum.journal;

import io.testudo.quorum.journal.EntryHead.Kind;
import io.testudo.quorum.journal.JournalFiles.OpenFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log and tells a torn tail from damage.
 *
 * <p>What was written after the last sync may be on the disk in any part: the first half of it, or
 * every other sector. So an entry that can't be read proves nothing by itself, nor does a good one
 * behind it. What proves damage is a claim: the header says how far the file was durable when it
 * got its name, and every entry how far it was durable when the entry was written. If anything
 * before the furthest claim can't be read, something was lost that had been promised. If nothing
 * claims the place where reading ends, nobody was ever told that it is durable, and it is cut.
 */
final class LogReader {
  private static final int WINDOW_BYTES = 1 << 20;

  private final OpenFile file;
  private final String path;
  private final long length;
  private final LogHeader header;

  /** A part of the file, from {@link #windowStart} on. */
  private final ByteBuffer window;

  private long windowStart;

  /**
   * What a log holds.
   *
   * @param end where the last good entry ends
   * @param entries how many entries there are, seals too
   * @param settled whether every record is claimed by what comes after it, and nothing is torn
   */
  record Contents(
      LogHeader header, List<byte[]> records, long end, long entries, boolean settled) {}

  private LogReader(OpenFile file, String path) throws IOException {
    this.file = file;
    this.path = path;
    this.length = file.length();
    this.window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, length)).limit(0);
    int most = LogHeader.FIXED_BYTES + LogHeader.MAX_IDENTITY_BYTES + Integer.BYTES;
    load(0, (int) Math.min(most, length));
    this.header = LogHeader.decode(window, path);
  }

  static Contents read(OpenFile file, String path) throws IOException {
    return new LogReader(file, path).read();
  }

  private Contents read() throws IOException {
    List<byte[]> records = new ArrayList<>();
    long offset = header.lengthBytes();
    long recordsEnd = offset;
    long provenTo = header.snapshotEnd();
    long entries = 0;
    while (offset < length) {
      EntryHead head = headAt(offset);
      byte[] body = head == null ? null : bodyAt(offset + EntryHead.BYTES, head);
      if (head == null || body == null) {
        break;
      }
      if (head.sequence() != entries + 1) {
        throw damaged(
            offset, "entry %s stands where %s belongs".formatted(head.sequence(), entries + 1));
      }
      entries++;
      offset += EntryHead.BYTES + body.length;
      provenTo = Math.max(provenTo, head.provenTo());
      if (head.kind() == Kind.RECORD) {
        records.add(body);
        recordsEnd = offset;
      }
    }
    if (Math.max(provenTo, furthestClaimAfter(offset)) > offset) {
      throw damaged(
          offset, "entry %s can't be read though it had been synced".formatted(entries + 1));
    }
    boolean settled = offset == length && provenTo >= recordsEnd;
    return new Contents(header, records, offset, entries, settled);
  }

  /** The furthest that any head claims which begins behind a place, wherever it stands. */
  private long furthestClaimAfter(long offset) throws IOException {
    long furthest = 0;
    for (long at = offset + 1; at <= length - EntryHead.BYTES; at++) {
      EntryHead head = headAt(at);
      if (head != null) {
        furthest = Math.max(furthest, head.provenTo());
      }
    }
    return furthest;
  }

  private @Nullable EntryHead headAt(long offset) throws IOException {
    if (offset > length - EntryHead.BYTES) {
      return null;
    }
    load(offset, EntryHead.BYTES);
    EntryHead head = EntryHead.decode(header.mark(), window, (int) (offset - windowStart));
    return head == null || head.provenTo() > offset ? null : head;
  }

  /** The bytes of an entry, or null if they are not those that the head tells of. */
  private byte @Nullable [] bodyAt(long offset, EntryHead head) throws IOException {
    if (offset > length - head.length()) {
      return null;
    }
    byte[] body = new byte[head.length()];
    if (body.length <= window.capacity()) {
      load(offset, body.length);
      window.get((int) (offset - windowStart), body);
    } else {
      readFully(ByteBuffer.wrap(body), offset);
    }
    return head.fits(body) ? body : null;
  }

  /** Sees to it that the window holds these bytes, which are known to be in the file. */
  private void load(long offset, int bytes) throws IOException {
    if (offset < windowStart || offset + bytes > windowStart + window.limit()) {
      window.clear().limit((int) Math.min(window.capacity(), length - offset));
      windowStart = offset;
      readFully(window, offset);
      window.flip();
    }
  }

  private void readFully(ByteBuffer into, long offset) throws IOException {
    while (into.hasRemaining()) {
      if (file.read(into, offset + into.position()) < 0) {
        throw new EOFException(path + " became shorter while it was read");
      }
    }
  }

  private JournalDamagedException damaged(long offset, String what) {
    return new JournalDamagedException(path, offset, what);
  }
}
