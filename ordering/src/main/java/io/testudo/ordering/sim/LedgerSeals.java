package io.testudo.ordering.sim;

import io.testudo.crypto.Kdf;
import io.testudo.crypto.KeyId;
import io.testudo.crypto.SealScheme;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.Signers;
import io.testudo.quorum.sim.SealSetting;
import io.testudo.quorum.sim.byzantine.Forger;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** With what the clients of one run seal, and what liars have of it. */
final class LedgerSeals {
  private static final String CLUSTER = "sim";

  /** Whose keys were stolen. Nothing in a run is said by this client itself. */
  private static final String ROBBED = "robbed";

  private static final Set<Right> EVERYTHING = EnumSet.allOf(Right.class);
  private static final SecretBytes GROUP_KEY =
      SecretBytes.copyOf("a group key for simulations only".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SHARED =
      OrderSeals.of(CLUSTER, Sealer.hmac(GROUP_KEY), SealVerifier.hmac(List.of(GROUP_KEY)));

  private final SealSetting setting;
  private final Map<KeyId, Signers.Signer> signers = new HashMap<>();

  LedgerSeals(SealSetting setting) {
    this.setting = setting;
    if (setting.scheme()
        != SealScheme.HMAC_SHA256) { // Where all share a key nobody has an own one.
      admit(ROBBED, Set.of(Right.SUBMIT));
    }
  }

  /** For a client as it starts. */
  OrderSeals of(ClientId client) {
    if (setting.scheme() == SealScheme.HMAC_SHA256) {
      return SHARED;
    }
    SigningKey own = admit(client.principal(), EVERYTHING);
    return ObjectSeals.signatures(CLUSTER, own, signers::get).forProtocol(client.session());
  }

  private SigningKey admit(String principal, Set<Right> rights) {
    SigningKey key = keyOf(principal);
    signers.put(KeyId.of(key.verifyingKey()), signer(principal, key, rights));
    return key;
  }

  /** The same in every run, so that a seed tells the same story each time. */
  private static SigningKey keyOf(String principal) {
    byte[] name = principal.getBytes(StandardCharsets.UTF_8);
    try (SecretBytes seed = Kdf.derive(GROUP_KEY, "simulated-signer", name)) {
      return SigningKey.fromSeed(seed);
    }
  }

  private static Signers.Signer signer(String principal, SigningKey key, Set<Right> rights) {
    Rights granted = Rights.of(List.of(Grant.of(principal, rights, "")), List.of());
    return new Signers.Signer(principal, key.verifyingKey(), granted);
  }

  Forger forger() {
    return setting.stolen() ? new OrderingForger(this::asStolen) : new OrderingForger();
  }

  /** Who has the key need not care what its owner may say, nor in which session it is. */
  private OrderSeals asStolen(long session) {
    if (setting.scheme() == SealScheme.HMAC_SHA256) {
      return SHARED;
    }
    SigningKey key = keyOf(ROBBED);
    Signers.Signer asItLikes = signer(ROBBED, key, EVERYTHING);
    return ObjectSeals.signatures(CLUSTER, key, any -> asItLikes).forProtocol(session);
  }
}
