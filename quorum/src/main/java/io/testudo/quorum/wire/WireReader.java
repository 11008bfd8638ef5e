package io.testudo.quorum.wire;

import com.google.common.base.Utf8;
import io.testudo.quorum.wire.Schema.Slots;
import io.testudo.quorum.wire.WireException.Fault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads headers and protobuf from bytes that may be hostile. */
final class WireReader {
  /** How protobuf finds the end of a value, in the lowest three bits of a tag. */
  static final int WIRE_TYPE = 7;

  static final int VARINT = 0;

  static final int FIXED64 = 1;
  static final int DELIMITED = 2;
  private static final int FIXED32 = 5;

  private static final int LONG_VARINT_BYTES = 10;

  /** How fixed64 stands in bytes. */
  static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int position;
  private int limit;
  private @Nullable Slots spare;
  private boolean forDraft;

  WireReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  WireReader(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.position = offset;
    this.limit = offset + length;
  }

  /** Messages inside stay what they are read as, so that they can be changed. */
  WireReader forDraft() {
    forDraft = true;
    return this;
  }

  boolean isForDraft() {
    return forDraft;
  }

  /** Empty ones for at least so many fields. */
  Slots takeSlots(int size) {
    Slots taken = spare;
    spare = null;
    return taken != null && taken.numbers.length >= size ? taken : new Slots(size);
  }

  /** The next record of the same bytes can use them. */
  void giveBack(Slots slots) {
    slots.clear();
    spare = slots;
  }

  int remaining() {
    return limit - position;
  }

  int readByte() throws WireException {
    if (position >= limit) {
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
    checkLeft(length);
    position += length;
  }

  private void checkLeft(int length) throws WireException {
    if (length < 0 || length > remaining()) {
      throw new WireException(
          Fault.TRUNCATED, length + " bytes were announced, " + remaining() + " are left");
    }
  }

  /**
   * A varint as protobuf takes it: in any form of at most ten bytes, what is above 64 bits lost.
   */
  long readLongForm() throws WireException {
    if (position < limit && bytes[position] >= 0) {
      return bytes[position++]; // Most numbers and nearly all tags are short.
    }
    long value = 0;
    for (int index = 0; index < LONG_VARINT_BYTES; index++) {
      int next = readByte();
      value |= (long) (next & 0x7f) << (7 * index);
      if (next < 0x80) {
        return value;
      }
    }
    throw new WireException(Fault.MALFORMED, "a number has more than ten bytes");
  }

  /** What stands before a value: the number of its field, and how its end is found. */
  int readTag() throws WireException {
    int tag = (int) readLongForm();
    if (tag >>> 3 == 0) {
      throw new WireException(Fault.MALFORMED, "no field has the number 0");
    }
    return tag;
  }

  long readFixed64() throws WireException {
    int start = position;
    skip(Long.BYTES);
    return (long) LITTLE_ENDIAN.get(bytes, start);
  }

  String readString() throws WireException {
    int length = readLength();
    if (!Utf8.isWellFormed(bytes, position, length)) {
      throw new WireException(Fault.MALFORMED, "a text is no UTF-8");
    }
    position += length;
    return new String(bytes, position - length, length, StandardCharsets.UTF_8);
  }

  byte[] readBytes() throws WireException {
    int length = readLength();
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  private int readLength() throws WireException {
    int length = (int) readLongForm();
    checkLeft(length);
    return length;
  }

  /** How many varints there are up to the limit, if that is where one ends. */
  int countVarints() {
    int count = 0;
    for (int at = position; at < limit; at++) {
      count += bytes[at] >= 0 ? 1 : 0;
    }
    return count;
  }

  /** Goes into a message or list inside of this one; {@link #leave} takes what this gives. */
  int enter() throws WireException {
    return enter(readLength());
  }

  /** Goes into so many bytes. */
  int enter(int length) throws WireException {
    checkLeft(length);
    int outer = limit;
    limit = position + length;
    return outer;
  }

  void leave(int outer) {
    position = limit;
    limit = outer;
  }

  /** Passes over the value of a field that we do not know. Groups are not of proto3. */
  void skipValue(int wireType) throws WireException {
    switch (wireType) {
      case VARINT -> readLongForm();
      case FIXED64 -> skip(Long.BYTES);
      case DELIMITED -> skip(readLength());
      case FIXED32 -> skip(Integer.BYTES);
      default -> throw new WireException(Fault.MALFORMED, "no value has the form " + wireType);
    }
  }
}
