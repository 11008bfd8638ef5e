package io.testudo.crypto;

/**
 * Sets a client's seal on statements. Deterministic and thread-safe.
 *
 * <p>Seal the very bytes that travel, and verify the very bytes that came. Protobuf is not
 * canonical: field order, unknown fields and library versions change the bytes of one message. A
 * seal over a message written anew would fail for honest peers, or cover less than what is read.
 */
@FunctionalInterface
public interface Sealer {
  /** The longest body, in bytes. */
  int MAX_BODY_BYTES = 1 << 24;

  /** The seal on this body in this context. */
  Seal seal(SealContext context, byte[] body);

  /**
   * Seals with a key that a group of clients shares and no server has. It keeps a key derived from
   * this one, so the secret may be wiped afterwards.
   */
  static Sealer hmac(SecretBytes groupKey) {
    return HmacSealKey.of(groupKey);
  }

  /**
   * Seals with a signature. It uses the key as long as it lives: closing the key ends it.
   *
   * @param session of the process that signs, which its seals tell
   */
  static Sealer ed25519(SigningKey key, long session) {
    return new SignatureSealer(key, session);
  }
}
