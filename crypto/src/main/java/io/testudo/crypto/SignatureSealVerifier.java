package io.testudo.crypto;

import com.google.common.collect.ImmutableMap;
import java.util.Collection;

/** Checks seals that are signatures of known clients. */
final class SignatureSealVerifier implements SealVerifier {
  private final ImmutableMap<KeyId, VerifyingKey> keys;

  private SignatureSealVerifier(ImmutableMap<KeyId, VerifyingKey> keys) {
    this.keys = keys;
  }

  static SignatureSealVerifier of(Collection<VerifyingKey> keys) {
    return new SignatureSealVerifier(SealKeys.byId(keys, KeyId::of));
  }

  @Override
  public boolean verify(SealContext context, byte[] body, Seal seal) {
    VerifyingKey key = keys.get(seal.keyId());
    return seal.scheme() == SealScheme.ED25519
        && key != null
        && SealKeys.isInBounds(body)
        && key.verifyRaw(
            SealedBytes.whole(SealScheme.ED25519, seal.keyId(), context, body), seal.proof());
  }

  @Override
  public boolean knows(SealContext context, Seal seal) {
    return keys.containsKey(seal.keyId());
  }
}
