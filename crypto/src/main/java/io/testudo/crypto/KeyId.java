package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A public fingerprint of a key, 64 bits: tells which key made a seal, so that keys can be
 * exchanged while old seals still verify.
 *
 * <p>It proves nothing by itself, and whoever makes keys at will can find two with the same id:
 * never grant a right on the id alone. For a secret it is derived by {@link Kdf}, which tells
 * nothing about the secret; for a signing key it is a digest of the public half.
 *
 * @param value the fingerprint as a number
 */
public record KeyId(long value) {
  /** Bytes of an id in a seal. */
  static final int LENGTH = Long.BYTES;

  /** The id of a secret. */
  public static KeyId of(SecretBytes secret) {
    return fromPrefix(Kdf.deriveOwn(secret, "key-id"));
  }

  /** The id of a key pair, by its public half. */
  public static KeyId of(VerifyingKey key) {
    return fromPrefix(
        Digest.builder("testudo-ed25519-key-id-v1").add(key.toByteArray()).build().toByteArray());
  }

  private static KeyId fromPrefix(byte[] bytes) {
    return new KeyId(ByteBuffer.wrap(bytes).getLong());
  }

  /** 16 hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
