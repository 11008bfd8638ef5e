package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * An Ed25519 key pair (RFC 8032): signs. The same message always gives the same signature, so
 * signing needs no randomness.
 *
 * <p>BouncyCastle's arithmetic is called directly: it is about ten times faster than the JDK's own,
 * and no security provider is registered.
 */
public final class SigningKey implements AutoCloseable {
  /** Bytes in the seed a key pair is made of. */
  public static final int SEED_LENGTH = Ed25519.SECRET_KEY_SIZE;

  /** Bytes in a signature. */
  public static final int SIGNATURE_LENGTH = Ed25519.SIGNATURE_SIZE;

  /** The longest purpose, in bytes of UTF-8. */
  public static final int MAX_PURPOSE_BYTES = 64;

  /** The longest message, in bytes. */
  public static final int MAX_MESSAGE_BYTES = 1 << 24;

  /** Not the label of a seal, so that nobody can be made to sign a seal as a message. */
  private static final byte[] LABEL = "testudo-sign-v1\0".getBytes(StandardCharsets.US_ASCII);

  private final SecretBytes seed;
  private final byte[] publicBytes;
  private final VerifyingKey verifyingKey;

  private SigningKey(byte[] seedBytes) {
    seed = SecretBytes.copyOf(seedBytes);
    publicBytes = new byte[VerifyingKey.LENGTH];
    Ed25519.generatePublicKey(seedBytes, 0, publicBytes, 0);
    verifyingKey = VerifyingKey.fromBytes(publicBytes);
  }

  /** A new key pair. */
  public static SigningKey generate(SecureRandom random) {
    try (SecretBytes seed = SecretBytes.random(random)) {
      return fromSeed(seed);
    }
  }

  /** The key pair of this seed of 32 bytes; the caller wipes the seed. */
  public static SigningKey fromSeed(SecretBytes seed) {
    if (seed.length() != SEED_LENGTH) {
      throw new IllegalArgumentException(
          "An Ed25519 seed has %s bytes, but %s were given.".formatted(SEED_LENGTH, seed.length()));
    }
    byte[] seedBytes = seed.copy();
    try {
      return new SigningKey(seedBytes);
    } finally {
      SecretBytes.wipe(seedBytes);
    }
  }

  /** The public half. */
  public VerifyingKey verifyingKey() {
    return verifyingKey;
  }

  /**
   * Signs a message for a purpose. The signature covers both, so that what was signed for one use
   * can't be shown in another.
   */
  public byte[] sign(String purpose, byte[] message) {
    return signRaw(signedBytes(purpose, message));
  }

  /** Plain Ed25519, for messages that carry a label of their own. */
  byte[] signRaw(byte[] message) {
    byte[] seedBytes = seed.copy();
    byte[] signature = new byte[SIGNATURE_LENGTH];
    Ed25519.sign(seedBytes, 0, publicBytes, 0, message, 0, message.length, signature, 0);
    SecretBytes.wipe(seedBytes);
    return signature;
  }

  static byte[] signedBytes(String purpose, byte[] message) {
    byte[] purposeBytes = StrictUtf8.encode(purpose, "purpose of the signature", MAX_PURPOSE_BYTES);
    if (message.length > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "A message of %s bytes can't be signed; use at most %s."
              .formatted(message.length, MAX_MESSAGE_BYTES));
    }
    return ByteBuffer.allocate(LABEL.length + Short.BYTES + purposeBytes.length + message.length)
        .put(LABEL)
        .putShort((short) purposeBytes.length)
        .put(purposeBytes)
        .put(message)
        .array();
  }

  /** A copy of the seed that the caller must wipe. */
  byte[] copySeed() {
    return seed.copy();
  }

  /** Wipes the private half. The public half goes on working. */
  @Override
  public void close() {
    seed.close();
  }

  /** Tells the id only. */
  @Override
  public String toString() {
    return "SigningKey(id " + KeyId.of(verifyingKey) + ")";
  }
}
