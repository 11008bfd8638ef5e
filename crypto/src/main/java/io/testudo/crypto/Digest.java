package io.testudo.crypto;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A SHA-256 digest: 32 bytes that stand for the bytes they were made of. */
public final class Digest {
  /** Bytes in a digest. */
  public static final int LENGTH = 32;

  /** The longest purpose a {@link #builder} takes, in bytes of UTF-8. */
  public static final int MAX_PURPOSE_BYTES = 64;

  private final byte[] bytes;

  private Digest(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The digest of exactly these bytes. */
  public static Digest of(byte[] message) {
    return of(message, 0, message.length);
  }

  /** The digest of a part of an array. */
  public static Digest of(byte[] array, int offset, int length) {
    MessageDigest sha = Sha256.take();
    sha.update(array, offset, length);
    return new Digest(Sha256.finish(sha));
  }

  /** A digest that someone else computed, as it came over the wire or from disk. */
  public static Digest fromBytes(byte[] digest) {
    if (digest.length != LENGTH) {
      throw new IllegalArgumentException(
          "A digest has %s bytes, but %s were given.".formatted(LENGTH, digest.length));
    }
    return new Digest(digest.clone());
  }

  /**
   * Starts a digest of several parts. The purpose keeps digests of different things apart: parts
   * that happen to have the same bytes give another digest under another purpose.
   */
  public static Builder builder(String purpose) {
    return new Builder(StrictUtf8.encode(purpose, "purpose of the digest", MAX_PURPOSE_BYTES));
  }

  /** A copy of the 32 bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** Copies the 32 bytes to where they are to be. */
  public void copyInto(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, LENGTH);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Digest digest && Arrays.equals(bytes, digest.bytes));
  }

  @Override
  public int hashCode() {
    // That of the array, four bytes at a time: digests are looked up more often than made.
    int hash = 1;
    for (int at = 0; at < LENGTH; at += 4) {
      int high = 31 * bytes[at] + bytes[at + 1];
      int low = 31 * bytes[at + 2] + bytes[at + 3];
      hash = 923_521 * hash + (961 * high + low); // 31 to the power of four, and of two.
    }
    return hash;
  }

  /** The digest in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Digests parts one after the other, each behind its length (4 bytes, big-endian), so that bytes
   * can't move from one part to the next without changing the digest. Not thread-safe, used once.
   */
  public static final class Builder {
    private final byte[] numbers = new byte[Integer.BYTES + Long.BYTES];
    private @Nullable MessageDigest sha = Sha256.take();

    private Builder(byte[] purpose) {
      add(purpose);
    }

    /** Adds bytes, possibly none. */
    public Builder add(byte[] part) {
      return add(part, 0, part.length);
    }

    /** Adds a part of an array, possibly nothing. */
    public Builder add(byte[] array, int offset, int length) {
      put(0, Integer.BYTES, length);
      sha().update(numbers, 0, Integer.BYTES);
      sha().update(array, offset, length);
      return this;
    }

    /** Adds a text as UTF-8. */
    public Builder add(String part) {
      return part.isEmpty()
          ? add(new byte[0])
          : add(StrictUtf8.encode(part, "text to digest", Integer.MAX_VALUE));
    }

    /** Adds a number as 8 bytes, big-endian. */
    public Builder add(long part) {
      put(0, Integer.BYTES, Long.BYTES);
      put(Integer.BYTES, Long.BYTES, part);
      sha().update(numbers, 0, numbers.length);
      return this;
    }

    /** Writes a number, big-endian. */
    private void put(int at, int length, long number) {
      for (int i = 0; i < length; i++) {
        numbers[at + i] = (byte) (number >>> (Byte.SIZE * (length - 1 - i)));
      }
    }

    /** Adds another digest. */
    public Builder add(Digest part) {
      return add(part.bytes);
    }

    /** The digest of all parts added; nothing can be added any more. */
    public Digest build() {
      byte[] digest = Sha256.finish(sha());
      sha = null;
      return new Digest(digest);
    }

    private MessageDigest sha() {
      if (sha == null) {
        throw new IllegalStateException("This digest was built already; begin another.");
      }
      return sha;
    }
  }
}
