package io.testudo.quorum.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The beginning of a log: what it is, whose it is, and how far the snapshot reaches with which it
 * began. A log gets its name only when it is synced up to there.
 */
final class LogHeader {
  /** The longest identity, in bytes. */
  static final int MAX_IDENTITY_BYTES = 1024;

  /** What comes before the identity: magic, version, length of the identity, mark, end. */
  static final int FIXED_BYTES = 8 + 4 + 4 + 8 + 8;

  private static final int CRC_BYTES = 4;

  /** "TESTUDOJ". */
  private static final long MAGIC = 0x54_45_53_54_55_44_4F_4AL;

  private static final int VERSION = 1;

  private final byte[] identity;
  private final long mark;
  private final long snapshotEnd;

  LogHeader(byte[] identity, long mark, long snapshotEnd) {
    this.identity = identity;
    this.mark = mark;
    this.snapshotEnd = snapshotEnd;
  }

  boolean isOf(byte[] other) {
    return Arrays.equals(identity, other);
  }

  /**
   * A number that chance chose for this file. Every entry begins with it, so that nobody can plant
   * bytes in a record that pass for an entry.
   */
  long mark() {
    return mark;
  }

  /** How long the file was, and durable, when it got its name. */
  long snapshotEnd() {
    return snapshotEnd;
  }

  static int bytesFor(byte[] identity) {
    return FIXED_BYTES + identity.length + CRC_BYTES;
  }

  int lengthBytes() {
    return bytesFor(identity);
  }

  void encode(ByteBuffer out) {
    int start = out.position();
    out.putLong(MAGIC).putInt(VERSION).putInt(identity.length).putLong(mark).putLong(snapshotEnd);
    out.put(identity);
    out.putInt(crc(out, start, out.position()));
  }

  /**
   * Reads the header of a file.
   *
   * @param start the beginning of the file, as long as the longest header or the whole file
   */
  static LogHeader decode(ByteBuffer start, String path) throws JournalException {
    if (start.remaining() < FIXED_BYTES || start.getLong(0) != MAGIC) {
      throw new JournalDamagedException(path, 0, "it does not begin as a journal does");
    }
    int version = start.getInt(8);
    if (version != VERSION) {
      throw new JournalDamagedException(
          path, 8, "its version is %s and this program reads %s".formatted(version, VERSION));
    }
    int length = start.getInt(12);
    if (length < 0
        || length > MAX_IDENTITY_BYTES
        || start.remaining() < FIXED_BYTES + length + CRC_BYTES) {
      throw new JournalDamagedException(path, 12, "its header is not whole");
    }
    if (start.getInt(FIXED_BYTES + length) != crc(start, 0, FIXED_BYTES + length)) {
      throw new JournalDamagedException(path, 0, "the checksum of its header is wrong");
    }
    byte[] identity = new byte[length];
    start.get(FIXED_BYTES, identity);
    return new LogHeader(identity, start.getLong(16), start.getLong(24));
  }

  private static int crc(ByteBuffer bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(from, to - from));
    return (int) crc.getValue();
  }
}
