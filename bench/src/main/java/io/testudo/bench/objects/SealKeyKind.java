package io.testudo.bench.objects;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.ordering.message.OrderSeals;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;

/** With what clients seal what they say. */
enum SealKeyKind {
  /** A key that all clients share. */
  HMAC {
    @Override
    OrderSeals make(SecretBytes groupKey) {
      return OrderSeals.of(
          BenchKeys.CLUSTER, Sealer.hmac(groupKey), SealVerifier.hmac(List.of(groupKey)));
    }
  },

  /** Signatures. */
  ED25519 {
    @Override
    OrderSeals make(SecretBytes groupKey) {
      SigningKey key = SigningKey.generate(new SecureRandom());
      return OrderSeals.of(
          BenchKeys.CLUSTER,
          Sealer.ed25519(key, 0),
          SealVerifier.ed25519(List.of(key.verifyingKey())));
    }
  };

  abstract OrderSeals make(SecretBytes groupKey);

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
