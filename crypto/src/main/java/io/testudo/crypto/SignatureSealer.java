package io.testudo.crypto;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;

/** Seals with one client's signature, in one of its sessions. */
final class SignatureSealer implements Sealer {
  private final SigningKey key;
  private final KeyId keyId;
  private final byte[] session;

  SignatureSealer(SigningKey key, long session) {
    this.key = key;
    this.keyId = KeyId.of(key.verifyingKey());
    this.session = Longs.toByteArray(session);
  }

  @Override
  public Seal seal(SealContext context, byte[] body) {
    SealKeys.requireBodyInBounds(body);
    byte[] signature = key.signRaw(signedBytes(keyId, context, session, body));
    return new Seal(SealScheme.ED25519, keyId, Bytes.concat(session, signature));
  }

  static byte[] signedBytes(KeyId keyId, SealContext context, byte[] session, byte[] body) {
    return SealedBytes.whole(SealScheme.ED25519, keyId, context, Bytes.concat(session, body));
  }
}
