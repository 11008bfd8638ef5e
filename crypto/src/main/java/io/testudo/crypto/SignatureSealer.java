package io.testudo.crypto;

/** Seals with one client's signature. */
final class SignatureSealer implements Sealer {
  private final SigningKey key;
  private final KeyId keyId;

  SignatureSealer(SigningKey key) {
    this.key = key;
    this.keyId = KeyId.of(key.verifyingKey());
  }

  @Override
  public Seal seal(SealContext context, byte[] body) {
    SealKeys.requireBodyInBounds(body);
    byte[] message = SealedBytes.whole(SealScheme.ED25519, keyId, context, body);
    return new Seal(SealScheme.ED25519, keyId, key.signRaw(message));
  }
}
