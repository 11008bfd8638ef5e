package io.testudo.crypto;

import java.util.Collection;

/**
 * Checks the seals of others. Deterministic and thread-safe.
 *
 * <p>A verifier knows one or more keys and tells them apart by key id: to exchange a key, give all
 * verifiers the new one besides the old, then let the clients seal with the new one, then build
 * verifiers without the old.
 */
@FunctionalInterface
public interface SealVerifier {
  /** The most keys one verifier knows. */
  int MAX_KEYS = 4096;

  /**
   * Whether a key known here made this seal on exactly this body in exactly this context. False,
   * never an exception, for whatever else a peer may send.
   */
  boolean verify(SealContext context, byte[] body, Seal seal);

  /**
   * Whether the key that a seal says it was made with is known here. If not, nothing can be said of
   * the seal: it may be of a key that is no longer in use.
   */
  default boolean knows(SealContext context, Seal seal) {
    return true;
  }

  /**
   * Checks seals of groups of clients. It keeps keys derived from these, so the secrets may be
   * wiped afterwards. Who can check such a seal can also make it: give no server the key.
   */
  static SealVerifier hmac(Collection<SecretBytes> groupKeys) {
    return HmacSealVerifier.of(groupKeys);
  }

  /** Checks seals that are signatures. */
  static SealVerifier ed25519(Collection<VerifyingKey> keys) {
    return SignatureSealVerifier.of(keys);
  }
}
