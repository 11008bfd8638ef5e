package io.testudo.ordering;

import io.testudo.quorum.Bytes;

/** Reads what a {@link ValueWriter} has written. Only one spelling of each value is taken. */
public final class ValueReader {
  private static final int MAX_VARINT_BYTES = 10;

  private final Bytes bytes;
  private int position;

  public ValueReader(Bytes bytes) {
    this.bytes = bytes;
  }

  public long readLong() {
    long value = readVarint();
    return (value >>> 1) ^ -(value & 1);
  }

  public long readFixed64() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << Byte.SIZE) | readByte();
    }
    return value;
  }

  public boolean readBoolean() {
    int value = readByte();
    if (value > 1) {
      throw new MalformedValueException("a boolean is 0 or 1, not " + value);
    }
    return value == 1;
  }

  /** A count of things that follow, each of which has at least one byte. */
  public int readCount() {
    long count = readVarint();
    if (count < 0 || count > remaining()) {
      throw new MalformedValueException(
          "%s things cannot be in %s bytes".formatted(Long.toUnsignedString(count), remaining()));
    }
    return (int) count;
  }

  public String readString() {
    Bytes text = readBytes();
    if (!text.isUtf8()) {
      throw new MalformedValueException("a text is no UTF-8");
    }
    return text.toText();
  }

  public Bytes readBytes() {
    int length = readCount();
    position += length;
    return bytes.slice(position - length, position);
  }

  /** All that is left. */
  public Bytes readRest() {
    Bytes rest = bytes.slice(position, bytes.size());
    position = bytes.size();
    return rest;
  }

  public int remaining() {
    return bytes.size() - position;
  }

  private int readByte() {
    if (position >= bytes.size()) {
      throw new MalformedValueException("a value ends too early");
    }
    return Byte.toUnsignedInt(bytes.at(position++));
  }

  private long readVarint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = readByte();
      value |= (long) (next & 0x7f) << (7 * i);
      if (next < 0x80) {
        boolean isShortest = i == 0 || next != 0;
        boolean fits = i < MAX_VARINT_BYTES - 1 || next <= 1;
        if (!isShortest || !fits) {
          throw new MalformedValueException("a number is not written in the shortest way");
        }
        return value;
      }
    }
    throw new MalformedValueException("a number has more than 64 bits");
  }

  void requireEnd() {
    if (remaining() > 0) {
      throw new MalformedValueException(remaining() + " bytes are left over");
    }
  }
}
