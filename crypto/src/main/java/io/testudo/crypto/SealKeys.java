package io.testudo.crypto;

import com.google.common.collect.ImmutableMap;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The keys of a verifier by their ids. */
final class SealKeys {
  private SealKeys() {}

  static <K> ImmutableMap<KeyId, K> byId(Collection<K> keys, Function<K, KeyId> idOf) {
    if (keys.isEmpty() || keys.size() > SealVerifier.MAX_KEYS) {
      throw new IllegalArgumentException(
          "A seal verifier was given %s keys; give 1 to %s."
              .formatted(keys.size(), SealVerifier.MAX_KEYS));
    }
    Map<KeyId, K> byId = new LinkedHashMap<>();
    for (K key : keys) {
      KeyId id = idOf.apply(key);
      K other = byId.putIfAbsent(id, key);
      // Whichever won would silently shut out the seals of the other.
      if (other != null && !other.equals(key)) {
        throw new IllegalArgumentException(
            "Two different keys have the id %s; make a new key in place of one.".formatted(id));
      }
    }
    return ImmutableMap.copyOf(byId);
  }

  static void requireBodyInBounds(byte[] body) {
    if (!isInBounds(body)) {
      throw new IllegalArgumentException(
          "A body of %s bytes can't be sealed; use at most %s."
              .formatted(body.length, Sealer.MAX_BODY_BYTES));
    }
  }

  static boolean isInBounds(byte[] body) {
    return body.length <= Sealer.MAX_BODY_BYTES;
  }
}
