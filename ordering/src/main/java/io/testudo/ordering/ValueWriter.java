package io.testudo.ordering;

import com.google.common.base.Utf8;
import io.testudo.quorum.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Appends values to bytes, up to a limit. */
public final class ValueWriter {
  private static final int FIRST_BYTES = 64;

  private final int maxBytes;
  private final String what;
  private byte[] bytes;
  private int size;

  /**
   * A writer.
   *
   * @param what is written, for the message of the exception
   */
  ValueWriter(int maxBytes, String what) {
    this.maxBytes = maxBytes;
    this.what = what;
    this.bytes = new byte[Math.min(FIRST_BYTES, maxBytes)];
  }

  private void reserve(long more) {
    long needed = size + more;
    if (needed > maxBytes) {
      throw new ValueTooLargeException(what, maxBytes);
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, Math.max(needed, 2L * bytes.length)));
    }
  }

  /** A number in one to ten bytes, the fewer the closer it is to zero. */
  public ValueWriter writeLong(long value) {
    return writeVarint((value << 1) ^ (value >> 63));
  }

  /** A number in eight bytes. */
  public ValueWriter writeFixed64(long value) {
    reserve(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  public ValueWriter writeBoolean(boolean value) {
    reserve(1);
    bytes[size++] = (byte) (value ? 1 : 0);
    return this;
  }

  /** How many things follow. */
  public ValueWriter writeCount(int count) {
    return writeVarint(count);
  }

  /** Well-formed text, as UTF-8 behind its length. */
  public ValueWriter writeString(String text) {
    int length = Utf8.encodedLength(text); // Half a character would come back as another text.
    writeCount(length);
    reserve(length);
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(encoded, 0, bytes, size, length);
    size += length;
    return this;
  }

  /** Bytes behind their length. */
  public ValueWriter writeBytes(Bytes value) {
    writeCount(value.size());
    return writeRaw(value);
  }

  /** Bytes without their length: who reads must know it, or read to the end. */
  public ValueWriter writeRaw(Bytes value) {
    reserve(value.size());
    value.copyInto(bytes, size);
    size += value.size();
    return this;
  }

  private ValueWriter writeVarint(long value) {
    long left = value;
    do {
      reserve(1);
      long rest = left >>> 7;
      bytes[size++] = (byte) (rest == 0 ? left : (left & 0x7f) | 0x80);
      left = rest;
    } while (left != 0);
    return this;
  }

  /** How many bytes were written. */
  public int size() {
    return size;
  }

  Bytes toBytes() {
    return Bytes.wrap(Arrays.copyOf(bytes, size));
  }
}
