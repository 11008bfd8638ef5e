package io.testudo.crypto;

import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.jspecify.annotations.Nullable;

/** The public half of an Ed25519 key pair (RFC 8032): checks what its owner signed. */
public final class VerifyingKey {
  /** Bytes in a public key. */
  public static final int LENGTH = Ed25519.PUBLIC_KEY_SIZE;

  private final byte[] bytes;
  private final Ed25519.PublicPoint point;

  private VerifyingKey(byte[] bytes, Ed25519.PublicPoint point) {
    this.bytes = bytes;
    this.point = point;
  }

  /**
   * The key with these bytes. Refuses bytes that are no point, written in more than one way, or of
   * low order: under such a key one signature could fit several messages.
   */
  public static VerifyingKey fromBytes(byte[] key) {
    if (key.length != LENGTH) {
      throw new IllegalArgumentException(
          "An Ed25519 public key has %s bytes, but %s were given.".formatted(LENGTH, key.length));
    }
    byte[] bytes = key.clone();
    Ed25519.@Nullable PublicPoint point = Ed25519.validatePublicKeyFullExport(bytes, 0);
    if (point == null) {
      throw new IllegalArgumentException(
          "The bytes given are no safe Ed25519 public key; copy the key from its owner again.");
    }
    return new VerifyingKey(bytes, point);
  }

  /**
   * Whether the owner signed this message for this purpose with {@link SigningKey#sign}. False for
   * a signature that is malformed in any way.
   */
  public boolean verify(String purpose, byte[] message, byte[] signature) {
    return verifyRaw(SigningKey.signedBytes(purpose, message), signature);
  }

  /** Plain Ed25519, for messages that carry a label of their own. */
  boolean verifyRaw(byte[] message, byte[] signature) {
    return signature.length == SigningKey.SIGNATURE_LENGTH
        && Ed25519.verify(signature, 0, point, message, 0, message.length);
  }

  /** A copy of the 32 bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VerifyingKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The key in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
