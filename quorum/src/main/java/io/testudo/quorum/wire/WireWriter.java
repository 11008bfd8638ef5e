package io.testudo.quorum.wire;

import com.google.common.primitives.ImmutableLongArray;
import io.testudo.crypto.Digest;
import io.testudo.crypto.Seal;
import io.testudo.quorum.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes protobuf from its end to its beginning: the length of a message inside is then known when
 * it has to be written, and one pass is enough. Defaults are left out, as proto3 does.
 */
final class WireWriter {
  private static final int FIRST_BYTES = 256;

  /** A longer buffer is not kept for the next one. */
  private static final int MAX_KEPT_BYTES = 1 << 16;

  private byte[] buffer = new byte[FIRST_BYTES];

  /** What was written stands from here to the end of the buffer. */
  private int start = FIRST_BYTES;

  /** A writer for whoever needs one, so that not each message needs a buffer of its own. */
  static final class Spare {
    private final AtomicReference<@Nullable WireWriter> spare = new AtomicReference<>();

    WireWriter take() {
      WireWriter taken = spare.getAndSet(null);
      return taken == null ? new WireWriter() : taken;
    }

    /** What was written, as bytes of their own; the writer is free then. */
    byte[] finish(WireWriter out) {
      byte[] written = out.toBytes();
      out.clear();
      if (out.buffer.length <= MAX_KEPT_BYTES) {
        spare.set(out);
      }
      return written;
    }
  }

  /** How many bytes were written. */
  int length() {
    return buffer.length - start;
  }

  /** Forgets what was written, and keeps the buffer. */
  void clear() {
    start = buffer.length;
  }

  byte[] toBytes() {
    return Arrays.copyOfRange(buffer, start, buffer.length);
  }

  /** Makes room for bytes before those that were written. */
  private void reserve(int bytes) {
    if (start < bytes) {
      int length = length();
      // With room for the headers before it: long bytes are then moved once only.
      byte[] larger = new byte[Math.max(2 * buffer.length, length + bytes + FIRST_BYTES)];
      System.arraycopy(buffer, start, larger, larger.length - length, length);
      buffer = larger;
      start = larger.length - length;
    }
    start -= bytes;
  }

  void varint(long value) {
    if ((value & ~0x7fL) == 0) {
      reserve(1);
      buffer[start] = (byte) value;
      return;
    }
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    reserve(bytes);
    byte[] to = buffer;
    int at = start;
    long rest = value;
    for (int i = 1; i < bytes; i++) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at] = (byte) rest;
  }

  void number(int tag, long value) {
    if (value != 0) {
      varint(value);
      varint(tag);
    }
  }

  void fixed64(int tag, long value) {
    if (value != 0) {
      reserve(Long.BYTES);
      WireReader.LITTLE_ENDIAN.set(buffer, start, value);
      varint(tag);
    }
  }

  void packed(int tag, ImmutableLongArray values) {
    int before = length();
    for (int i = values.length() - 1; i >= 0; i--) {
      varint(values.get(i));
    }
    if (length() > before) {
      delimit(tag, before);
    }
  }

  void string(int tag, String value) {
    if (!value.isEmpty()) {
      anyString(tag, value);
    }
  }

  /** One of several: there an empty one counts too. */
  void anyString(int tag, String value) {
    int before = length();
    raw(value.getBytes(StandardCharsets.UTF_8));
    delimit(tag, before);
  }

  void bytes(int tag, Bytes value) {
    if (!value.isEmpty()) {
      int before = length();
      reserve(value.size());
      value.copyInto(buffer, start);
      delimit(tag, before);
    }
  }

  void digest(int tag, Digest value) {
    int before = length();
    reserve(Digest.LENGTH);
    value.copyInto(buffer, start);
    delimit(tag, before);
  }

  void seal(int tag, Seal value) {
    int before = length();
    reserve(value.encodedLength());
    value.encodeInto(buffer, start);
    delimit(tag, before);
  }

  private void raw(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, start, bytes.length);
  }

  /** Ends what began at its end, when so many bytes had been written: gives it a length. */
  void delimit(int tag, int before) {
    varint(length() - before);
    varint(tag);
  }
}
