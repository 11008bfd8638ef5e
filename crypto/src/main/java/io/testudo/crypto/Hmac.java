package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * HMAC-SHA256 under one key, always with all 32 bytes. Thread-safe.
 *
 * <p>The JDK's {@link Mac} is fast once keyed but serves one thread at a time, so one keyed copy is
 * kept as a spare: a call takes it, or clones the original if another thread has it. A thread-local
 * copy would outlive its key on every thread that used it once.
 */
public final class Hmac {
  /** Bytes in a code. */
  public static final int LENGTH = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac original;
  private final AtomicReference<@Nullable Mac> spare = new AtomicReference<>();

  private Hmac(Mac original) {
    this.original = original;
  }

  /** The code under this key. It keeps a copy of the key: wiping the secret does not disable it. */
  public static Hmac under(SecretBytes key) {
    byte[] bytes = key.copy();
    try {
      return underRaw(bytes);
    } finally {
      SecretBytes.wipe(bytes);
    }
  }

  /** Without the checks of {@link SecretBytes}: HKDF keys its first step with a public salt. */
  static Hmac underRaw(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return new Hmac(mac);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "This Java runtime offers no " + ALGORITHM + "; use one with its standard providers.", e);
    }
  }

  /** The code of these bytes. */
  public byte[] mac(byte[] message) {
    return mac(ByteBuffer.wrap(message));
  }

  /**
   * The code of these ranges, joined as if they were one. Their boundaries are not covered: the
   * layout of what is authenticated must tell them, by fixed lengths or by lengths written into it.
   * Leaves the positions of the buffers alone.
   */
  public byte[] mac(ByteBuffer... ranges) {
    Mac mac = take();
    for (ByteBuffer range : ranges) {
      mac.update(range.duplicate());
    }
    byte[] code = mac.doFinal();
    // Only a copy that finished goes back; after an exception it may hold half a message.
    spare.set(mac);
    return code;
  }

  /** Whether {@code code} is the code of these bytes, compared in constant time. */
  public boolean verify(byte[] code, byte[] message) {
    return verify(code, ByteBuffer.wrap(message));
  }

  /** Whether {@code code} is the code of these ranges joined, compared in constant time. */
  public boolean verify(byte[] code, ByteBuffer... ranges) {
    return ConstantTime.equal(mac(ranges), code);
  }

  private Mac take() {
    Mac taken = spare.getAndSet(null);
    if (taken != null) {
      return taken;
    }
    try {
      return (Mac) original.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(
          "The installed provider's "
              + ALGORITHM
              + " can't be cloned; put the JDK's own provider SunJCE before it.",
          e);
    }
  }
}
