package io.testudo.quorum.wire;

import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.testudo.crypto.Digest;
import io.testudo.crypto.Seal;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes protobuf in two passes over the same values: the first counts, and remembers the lengths
 * of messages inside; the second goes straight into bytes of just that size. Defaults are left out,
 * as proto3 does.
 */
final class WireWriter {
  private static final int[] NONE = {};
  private static final int FIRST_LENGTHS = 8;

  private byte @Nullable [] target;
  private int position;
  private int[] lengths = NONE;
  private int messages;
  private @Nullable MessageLite generated;

  /** How many bytes were counted or written, or where those begin that follow. */
  int position() {
    return position;
  }

  /** Ends the counting: what comes now is written, from the beginning of these bytes. */
  void writeInto(byte[] bytes) {
    target = bytes;
    position = 0;
    messages = 0;
  }

  static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  void varint(long value) {
    if (target == null) {
      position += varintBytes(value);
      return;
    }
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[position++] = (byte) rest;
  }

  void number(int tag, long value) {
    if (value != 0) {
      varint(tag);
      varint(value);
    }
  }

  void fixed64(int tag, long value) {
    if (value == 0) {
      return;
    }
    varint(tag);
    if (target != null) {
      for (int i = 0; i < Long.BYTES; i++) {
        target[position + i] = (byte) (value >>> (Byte.SIZE * i));
      }
    }
    position += Long.BYTES;
  }

  void packed(int tag, ImmutableLongArray values) {
    if (values.isEmpty()) {
      return;
    }
    int length = 0;
    for (int i = 0; i < values.length(); i++) {
      length += varintBytes(values.get(i));
    }
    varint(tag);
    varint(length);
    for (int i = 0; i < values.length(); i++) {
      varint(values.get(i));
    }
  }

  void string(int tag, String value) {
    if (!value.isEmpty()) {
      anyString(tag, value);
    }
  }

  /** One of several: there an empty one counts too. */
  void anyString(int tag, String value) {
    varint(tag);
    varint(Utf8Text.length(value));
    position =
        target == null
            ? position + Utf8Text.length(value)
            : Utf8Text.write(value, target, position);
  }

  void bytes(int tag, byte[] value) {
    byte[] to = delimit(tag, value.length);
    if (to != null) {
      System.arraycopy(value, 0, to, position - value.length, value.length);
    }
  }

  void bytes(int tag, ByteString value) {
    byte[] to = delimit(tag, value.size());
    if (to != null) {
      value.copyTo(to, position - value.size());
    }
  }

  void seal(int tag, Seal value) {
    byte[] to = delimit(tag, value.encodedLength());
    if (to != null) {
      value.encodeInto(to, position - value.encodedLength());
    }
  }

  void digest(int tag, Digest value) {
    byte[] to = delimit(tag, Digest.LENGTH);
    if (to != null) {
      value.copyInto(to, position - Digest.LENGTH);
    }
  }

  /** Where to write bytes before the position, which has gone past them; null for nowhere. */
  private byte @Nullable [] delimit(int tag, int length) {
    if (length == 0) {
      return null;
    }
    varint(tag);
    varint(length);
    position += length;
    return target;
  }

  /** A message inside of this one, also if it has no field. */
  <P> void message(int tag, P part, BiConsumer<P, WireWriter> fields) {
    varint(tag);
    int index = messages++;
    if (target != null) {
      varint(lengths[index]);
      fields.accept(part, this);
      return;
    }
    if (index == lengths.length) {
      lengths = Arrays.copyOf(lengths, Math.max(FIRST_LENGTHS, 2 * index));
    }
    int start = position;
    fields.accept(part, this);
    lengths[index] = position - start;
    varint(lengths[index]);
  }

  /** A message of a generated class, made once for both passes. */
  void generated(Supplier<? extends MessageLite> message) {
    MessageLite proto = generated == null ? message.get() : generated;
    generated = proto;
    int size = proto.getSerializedSize();
    if (target != null) {
      try {
        proto.writeTo(CodedOutputStream.newInstance(target, position, size));
      } catch (IOException e) {
        throw new IllegalStateException("a message did not fit into the size computed for it", e);
      }
    }
    position += size;
  }
}
