package io.testudo.crypto;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Collection;

/** Checks HMAC seals under the keys of one or more groups of clients. */
final class HmacSealVerifier implements SealVerifier {
  private final ImmutableMap<KeyId, HmacSealKey> keys;

  private HmacSealVerifier(ImmutableMap<KeyId, HmacSealKey> keys) {
    this.keys = keys;
  }

  static HmacSealVerifier of(Collection<SecretBytes> groupKeys) {
    ImmutableMap<KeyId, SecretBytes> secrets = SealKeys.byId(groupKeys, KeyId::of);
    return new HmacSealVerifier(
        ImmutableMap.copyOf(Maps.transformValues(secrets, HmacSealKey::of)));
  }

  @Override
  public boolean verify(SealContext context, byte[] body, Seal seal) {
    HmacSealKey key = keys.get(seal.keyId());
    return seal.scheme() == SealScheme.HMAC_SHA256
        && key != null
        && SealKeys.isInBounds(body)
        && key.matches(context, body, seal.proof());
  }

  @Override
  public boolean knows(SealContext context, Seal seal) {
    return keys.containsKey(seal.keyId());
  }
}
