package io.testudo.quorum;

import com.google.common.base.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes that never change. They are ordered like texts, byte by byte, without a sign. */
public final class Bytes implements Comparable<Bytes> {
  /** None. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private static final int SHOWN_BYTES = 16;

  private final byte[] array;
  private final int offset;
  private final int size;

  private Bytes(byte[] array, int offset, int size) {
    this.array = array;
    this.offset = offset;
    this.size = size;
  }

  /** A copy. */
  public static Bytes copyOf(byte... bytes) {
    return wrap(bytes.clone());
  }

  /** These very bytes, without a copy: who calls must not change them any more. */
  public static Bytes wrap(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Bytes(bytes, 0, bytes.length);
  }

  /** A text as UTF-8. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** One of them. */
  public byte at(int index) {
    return array[offset + Objects.checkIndex(index, size)];
  }

  /** Those from an index on, up to another. They are not copied: a part keeps the whole alive. */
  public Bytes slice(int from, int to) {
    Objects.checkFromToIndex(from, to, size);
    return from == to ? EMPTY : new Bytes(array, offset + from, to - from);
  }

  /** These with others behind them, copied. */
  public Bytes concat(Bytes others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    byte[] both = new byte[Math.addExact(size, others.size)];
    copyInto(both, 0);
    others.copyInto(both, size);
    return wrap(both);
  }

  /** Copies them to where they are to be. */
  public void copyInto(byte[] target, int at) {
    System.arraycopy(array, offset, target, at, size);
  }

  /** A copy. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + size);
  }

  /** A view that can only be read, big-endian. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(array, offset, size).slice().asReadOnlyBuffer();
  }

  /** Whether they are a text in UTF-8. */
  public boolean isUtf8() {
    return Utf8.isWellFormed(array, offset, size);
  }

  /** As a text in UTF-8, with a sign of replacement for what is none. */
  public String toText() {
    return new String(array, offset, size, StandardCharsets.UTF_8);
  }

  /** What a codec or a digest makes of them, without a copy. */
  public <R> R view(View<R> view) {
    return view.of(array, offset, size);
  }

  /** Looks at bytes where they are. It must neither change nor keep the array. */
  @FunctionalInterface
  public interface View<R> {
    R of(byte[] array, int offset, int length);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(
        array, offset, offset + size, other.array, other.offset, other.offset + other.size);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes bytes
        && Arrays.equals(
            array, offset, offset + size, bytes.array, bytes.offset, bytes.offset + bytes.size);
  }

  @Override
  public int hashCode() {
    return hash(size, array, offset, offset + size);
  }

  /**
   * As {@link Arrays#hashCode(byte[])} of a part, from any beginning on. Four bytes at a time wait
   * for each other only once: bytes may be long, and are looked up often.
   */
  public static int hash(int beginning, byte[] array, int from, int to) {
    int hash = beginning;
    int at = from;
    for (; at <= to - 4; at += 4) {
      int high = 31 * array[at] + array[at + 1];
      int low = 31 * array[at + 2] + array[at + 3];
      hash = 923_521 * hash + (961 * high + low); // 31 to the power of four, and of two.
    }
    for (; at < to; at++) {
      hash = 31 * hash + array[at];
    }
    return hash;
  }

  /** How many they are, and the first of them in hexadecimal. */
  @Override
  public String toString() {
    int shown = Math.min(size, SHOWN_BYTES);
    String hex = HexFormat.of().formatHex(array, offset, offset + shown);
    return "Bytes[" + size + ": " + hex + (shown < size ? "..." : "") + "]";
  }
}
