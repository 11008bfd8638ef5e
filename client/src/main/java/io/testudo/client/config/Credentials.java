package io.testudo.client.config;

import io.testudo.crypto.SigningKey;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Signers;
import io.testudo.quorum.netty.ClientCredentials;
import java.util.Optional;

/** By what a client shows who it is, and seals. */
public interface Credentials {
  /** What a client shows; refuses keys of another cluster or principal. */
  ClientCredentials client(ClusterDescription cluster, String principal);

  /** A client's keys, if it has any: with tls only those that seal are of use. */
  Optional<ClientKeyring> keyringOf(ClusterDescription cluster, String principal);

  /** By what a client signs, where seals are signatures; without it, it seals nothing. */
  Optional<SigningKey> signingKeyOf(ClusterDescription cluster, String principal);

  /** Whose signatures count. */
  default Signers signers(ClusterDescription cluster) {
    return cluster.signers();
  }

  /** How a client seals its ranks by keys that it shares with others. */
  default RankSeals seals(ClusterDescription cluster, String principal) {
    return keyringOf(cluster, principal)
        .map(keyring -> GroupRankSeals.of(cluster.name(), keyring.groupKeys(KeyPurpose.LOCK)))
        .orElse(RankSeals.none());
  }

  /** A fingerprint, by which it is noticed that they were replaced. */
  default String print() {
    return "";
  }

  /** The same, read now. */
  default Credentials read(ClusterDescription cluster, String principal) {
    String print = print(); // First: what is written meanwhile is then taken for a change.
    return new InMemory(
        client(cluster, principal),
        keyringOf(cluster, principal),
        signingKeyOf(cluster, principal),
        signers(cluster),
        print);
  }

  /** Keys that are in no file, for clusters that live no longer than their process. */
  static Credentials of(ClientKeyring keyring, Optional<SigningKey> signingKey, Signers signers) {
    return new InMemory(
        ClientCredentials.hmac(keyring), Optional.of(keyring), signingKey, signers, "");
  }

  /** Those of one client. */
  record InMemory(
      ClientCredentials shown,
      Optional<ClientKeyring> keyring,
      Optional<SigningKey> signingKey,
      Signers known,
      String print)
      implements Credentials {
    @Override
    public ClientCredentials client(ClusterDescription cluster, String principal) {
      return shown;
    }

    @Override
    public Optional<ClientKeyring> keyringOf(ClusterDescription cluster, String principal) {
      return keyring;
    }

    @Override
    public Optional<SigningKey> signingKeyOf(ClusterDescription cluster, String principal) {
      return signingKey;
    }

    @Override
    public Signers signers(ClusterDescription cluster) {
      return known;
    }
  }
}
