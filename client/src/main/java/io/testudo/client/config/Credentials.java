package io.testudo.client.config;

import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.netty.ClientCredentials;
import java.util.Optional;

/** By what a client shows who it is, and seals. */
public interface Credentials {
  /** What a client shows; refuses keys of another cluster or principal. */
  ClientCredentials client(ClusterDescription cluster, String principal);

  /** A client's keys, if it has any: with tls only those that seal are of use. */
  Optional<ClientKeyring> keyringOf(ClusterDescription cluster, String principal);

  /** How a client seals its ranks. */
  default RankSeals seals(ClusterDescription cluster, String principal) {
    return keyringOf(cluster, principal)
        .map(keyring -> GroupRankSeals.of(cluster.name(), keyring.groupKeys(KeyPurpose.LOCK)))
        .orElse(RankSeals.none());
  }

  /** The same, read now. */
  default Credentials read(ClusterDescription cluster, String principal) {
    return of(client(cluster, principal), keyringOf(cluster, principal));
  }

  /** Keys that are in no file, for clusters that live no longer than their process. */
  static Credentials of(ClientKeyring keyring) {
    return of(ClientCredentials.hmac(keyring), Optional.of(keyring));
  }

  private static Credentials of(ClientCredentials shown, Optional<ClientKeyring> keyring) {
    return new Credentials() {
      @Override
      public ClientCredentials client(ClusterDescription cluster, String principal) {
        return shown;
      }

      @Override
      public Optional<ClientKeyring> keyringOf(ClusterDescription cluster, String principal) {
        return keyring;
      }
    };
  }
}
