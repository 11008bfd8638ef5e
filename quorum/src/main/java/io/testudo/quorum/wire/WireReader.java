package io.testudo.quorum.wire;

import io.testudo.quorum.wire.WireException.Fault;

/** Reads varints from bytes that may be hostile. */
final class WireReader {
  private static final int LONG_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int position;

  WireReader(byte[] bytes) {
    this.bytes = bytes;
  }

  int position() {
    return position;
  }

  int remaining() {
    return bytes.length - position;
  }

  int readByte() throws WireException {
    if (position >= bytes.length) {
      throw new WireException(Fault.TRUNCATED, "the bytes end at " + position);
    }
    return bytes[position++] & 0xff;
  }

  /** An unsigned varint of at most 64 bits, in the one shortest form. */
  long readVarint() throws WireException {
    long value = 0;
    for (int index = 0; index < LONG_VARINT_BYTES; index++) {
      int next = readByte();
      value |= (long) (next & 0x7f) << (7 * index);
      if (next < 0x80) {
        boolean overflow = index == LONG_VARINT_BYTES - 1 && next > 1;
        boolean padded = index > 0 && next == 0;
        if (overflow || padded) {
          throw new WireException(Fault.MALFORMED, "a number has no shortest form");
        }
        return value;
      }
    }
    throw new WireException(Fault.MALFORMED, "a number has more than 64 bits");
  }

  /** A varint that must not be above {@code max}. */
  int readVarint(int max, String what) throws WireException {
    long value = readVarint();
    if (value < 0 || value > max) {
      throw new WireException(
          Fault.OVERSIZE, what + " " + Long.toUnsignedString(value) + " is above " + max);
    }
    return (int) value;
  }

  /** Passes over bytes that must be there. */
  void skip(int length) throws WireException {
    if (length > remaining()) {
      throw new WireException(
          Fault.TRUNCATED, length + " bytes were announced, " + remaining() + " are left");
    }
    position += length;
  }
}
