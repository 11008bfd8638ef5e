package io.testudo.crypto;

import java.nio.ByteBuffer;

/**
 * The key of a group of clients as used for seals. Sealing happens under a child of the group key,
 * so no other use of the group key can give a valid seal.
 */
final class HmacSealKey implements Sealer {
  private final KeyId keyId;
  private final Hmac hmac;

  private HmacSealKey(KeyId keyId, Hmac hmac) {
    this.keyId = keyId;
    this.hmac = hmac;
  }

  static HmacSealKey of(SecretBytes groupKey) {
    byte[] sealKey = Kdf.deriveOwn(groupKey, "seal-hmac");
    try {
      return new HmacSealKey(KeyId.of(groupKey), Hmac.underRaw(sealKey));
    } finally {
      SecretBytes.wipe(sealKey);
    }
  }

  @Override
  public Seal seal(SealContext context, byte[] body) {
    SealKeys.requireBodyInBounds(body);
    byte[] header = header(context, body);
    return new Seal(
        SealScheme.HMAC_SHA256, keyId, hmac.mac(ByteBuffer.wrap(header), ByteBuffer.wrap(body)));
  }

  boolean matches(SealContext context, byte[] body, byte[] proof) {
    byte[] header = header(context, body);
    return hmac.verify(proof, ByteBuffer.wrap(header), ByteBuffer.wrap(body));
  }

  private byte[] header(SealContext context, byte[] body) {
    return SealedBytes.header(SealScheme.HMAC_SHA256, keyId, context, body.length);
  }
}
