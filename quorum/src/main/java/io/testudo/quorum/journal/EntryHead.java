package io.testudo.quorum.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the bytes of each entry of a log, under a checksum of its own: so a head tells
 * the truth even if its body was torn.
 *
 * @param sequence counts the entries of a file, from 1
 * @param provenTo the file was durable up to here before this entry was written
 */
record EntryHead(Kind kind, long sequence, long provenTo, int length, int bodyCrc) {
  /** Mark, kind, sequence, provenTo, length, checksum of the body, checksum of all this. */
  static final int BYTES = 8 + 1 + 8 + 8 + 4 + 4 + 4;

  private static final int CRC_AT = BYTES - 4;

  /** What an entry is for. */
  enum Kind {
    /** A record of the machine. */
    RECORD,
    /** Says only that what comes before it is durable. */
    SEAL;

    private static @Nullable Kind of(byte number) {
      return switch (number) {
        case 1 -> RECORD;
        case 2 -> SEAL;
        default -> null;
      };
    }

    private byte number() {
      return this == RECORD ? (byte) 1 : (byte) 2;
    }
  }

  static EntryHead of(Kind kind, long sequence, long provenTo, byte[] body) {
    return new EntryHead(kind, sequence, provenTo, body.length, crc(ByteBuffer.wrap(body)));
  }

  boolean fits(byte[] body) {
    return crc(ByteBuffer.wrap(body)) == bodyCrc;
  }

  void encode(long mark, ByteBuffer out) {
    int start = out.position();
    out.putLong(mark).put(kind.number()).putLong(sequence).putLong(provenTo);
    out.putInt(length).putInt(bodyCrc);
    out.putInt(crc(out.slice(start, CRC_AT)));
  }

  /** Reads the head at a place of a buffer, or null if none stands there. */
  static @Nullable EntryHead decode(long mark, ByteBuffer in, int at) {
    if (in.getLong(at) != mark || in.getInt(at + CRC_AT) != crc(in.slice(at, CRC_AT))) {
      return null;
    }
    Kind kind = Kind.of(in.get(at + 8));
    int length = in.getInt(at + 25);
    if (kind == null || length < 0 || length > FileJournal.MAX_RECORD_BYTES) {
      return null;
    }
    return new EntryHead(kind, in.getLong(at + 9), in.getLong(at + 17), length, in.getInt(at + 29));
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
