package io.testudo.crypto;

import com.google.common.collect.ImmutableMap;
import java.util.Arrays;
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
        && isSignedBy(key, context, body, seal);
  }

  private static boolean isSignedBy(VerifyingKey key, SealContext context, byte[] body, Seal seal) {
    byte[] session = Arrays.copyOf(seal.proof(), Long.BYTES);
    byte[] signature = Arrays.copyOfRange(seal.proof(), Long.BYTES, seal.proof().length);
    return key.verifyRaw(
        SignatureSealer.signedBytes(seal.keyId(), context, session, body), signature);
  }

  @Override
  public boolean knows(SealContext context, Seal seal) {
    return keys.containsKey(seal.keyId());
  }
}
