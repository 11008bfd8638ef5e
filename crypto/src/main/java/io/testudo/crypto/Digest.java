package io.testudo.crypto;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
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
    return new Digest(Hashing.sha256().hashBytes(array, offset, length).asBytes());
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
    return other instanceof Digest digest && Arrays.equals(bytes, digest.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
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
    private final Hasher hasher = Hashing.sha256().newHasher();

    private Builder(byte[] purpose) {
      add(purpose);
    }

    /** Adds bytes, possibly none. */
    public Builder add(byte[] part) {
      return add(part, 0, part.length);
    }

    /** Adds a part of an array, possibly nothing. */
    public Builder add(byte[] array, int offset, int length) {
      addLength(length);
      hasher.putBytes(array, offset, length);
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
      addLength(Long.BYTES);
      // Guava writes numbers little-endian.
      hasher.putLong(Long.reverseBytes(part));
      return this;
    }

    /** Adds another digest. */
    public Builder add(Digest part) {
      return add(part.bytes);
    }

    /** The digest of all parts added. */
    public Digest build() {
      return new Digest(hasher.hash().asBytes());
    }

    private void addLength(int length) {
      hasher.putInt(Integer.reverseBytes(length));
    }
  }
}
