package io.testudo.crypto;

import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Secret key material. It is never printed, compared in constant time, and wiped by {@link #close}.
 *
 * <p>The bytes don't leave this package: a secret is used by making an {@link Hmac}, a {@link
 * Sealer} or a child of it ({@link Kdf}), or by writing it with {@link KeyFile}. There is no
 * default secret. A secret must be random, not a password: its {@link KeyId} is public and would
 * let a guess be checked.
 *
 * <p>Wiping is the best Java offers: the collector may have moved the bytes before and left a copy.
 */
public final class SecretBytes implements AutoCloseable {
  /** The shortest secret, in bytes: as long as the digest of every MAC made with it. */
  public static final int MIN_LENGTH = 32;

  /** The longest secret, in bytes: HMAC-SHA256 would shorten a longer one. */
  public static final int MAX_LENGTH = 64;

  private final byte[] bytes;
  private boolean closed;

  private SecretBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A secret with a copy of these bytes; the caller wipes its own. */
  public static SecretBytes copyOf(byte[] bytes) {
    return adopt(bytes.clone());
  }

  /** A new secret of {@link #MIN_LENGTH} bytes. */
  public static SecretBytes random(SecureRandom random) {
    byte[] bytes = new byte[MIN_LENGTH];
    random.nextBytes(bytes);
    return adopt(bytes);
  }

  /** A secret that takes these bytes as its own. */
  static SecretBytes adopt(byte[] bytes) {
    if (bytes.length < MIN_LENGTH || bytes.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "A secret of %s bytes was given; use %s to %s random bytes."
              .formatted(bytes.length, MIN_LENGTH, MAX_LENGTH));
    }
    if (ConstantTime.allZero(bytes)) {
      throw new IllegalArgumentException(
          "A secret of zeros was given, which anyone can guess; use random bytes.");
    }
    return new SecretBytes(bytes);
  }

  /** How many bytes this secret has. */
  public int length() {
    return bytes.length;
  }

  /** A copy that the caller must wipe. */
  synchronized byte[] copy() {
    // Under the lock, or a concurrent close() would give a half-wiped and thus guessable key.
    if (closed) {
      throw new IllegalStateException("The secret was wiped; read or derive it again.");
    }
    return bytes.clone();
  }

  /** Wipes the secret. Whatever was derived from it before goes on working. */
  @Override
  public synchronized void close() {
    closed = true;
    wipe(bytes);
  }

  /** Whether both hold the same bytes. A wiped secret equals only itself. */
  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof SecretBytes secret)) {
      return false;
    }
    byte[] left = snapshot();
    byte[] right = secret.snapshot();
    boolean equal = !ConstantTime.allZero(left) && ConstantTime.equal(left, right);
    wipe(left);
    wipe(right);
    return equal;
  }

  /** The same for all secrets: a hash of the bytes would tell of them. */
  @Override
  public int hashCode() {
    return 0x5ec2e7;
  }

  /** Tells the length only. */
  @Override
  public String toString() {
    return "SecretBytes(" + bytes.length + " bytes)";
  }

  static void wipe(byte[] bytes) {
    Arrays.fill(bytes, (byte) 0);
  }

  /** The bytes, or zeros once wiped; one lock at a time, so two secrets can't block each other. */
  private synchronized byte[] snapshot() {
    return bytes.clone();
  }
}
