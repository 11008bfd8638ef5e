package io.testudo.crypto;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's SHA-256. To ask for it by name costs more than to digest what is short, and most is, so
 * one is kept as a spare; if another thread has it, the original is cloned.
 */
final class Sha256 {
  private static final String ALGORITHM = "SHA-256";
  private static final MessageDigest ORIGINAL = original();
  private static final AtomicReference<@Nullable MessageDigest> SPARE = new AtomicReference<>();

  private Sha256() {}

  private static MessageDigest original() {
    try {
      return MessageDigest.getInstance(ALGORITHM);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java runtime offers no " + ALGORITHM + ".", e);
    }
  }

  /** One that has taken nothing yet. */
  static MessageDigest take() {
    MessageDigest taken = SPARE.getAndSet(null);
    if (taken != null) {
      return taken;
    }
    try {
      return (MessageDigest) ORIGINAL.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(
          "The installed provider's " + ALGORITHM + " can't be cloned; put the JDK's own first.",
          e);
    }
  }

  /** The digest of what it has taken; it belongs to others from now on. */
  static byte[] finish(MessageDigest sha) {
    byte[] digest = sha.digest();
    SPARE.set(sha);
    return digest;
  }
}
