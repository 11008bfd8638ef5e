package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableSet;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.MemberCredentials;
import io.testudo.quorum.netty.NettyPeer;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.List;

/** Makes keys for the members and clients of a ring in this process. */
public interface RingKeys extends AutoCloseable {
  /** What a member shows. */
  MemberCredentials member(String principal);

  /** What a client shows. */
  ClientCredentials client(String principal);

  @Override
  void close();

  /** Keys that are shared, drawn anew. */
  static RingKeys hmac(String ring) {
    ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
    return new RingKeys() {
      @Override
      public MemberCredentials member(String principal) {
        return MemberCredentials.hmac(
            secrets.serverKeyring(ring, NettyPeer.SHARED),
            secrets.clientKeyring(ring, principal, 1, ImmutableSet.of()));
      }

      @Override
      public ClientCredentials client(String principal) {
        return ClientCredentials.hmac(secrets.clientKeyring(ring, principal, 1, ImmutableSet.of()));
      }

      @Override
      public void close() {
        secrets.close();
      }
    };
  }

  /** Certificates of an authority that is made anew. */
  static RingKeys tls(String ring) {
    Instant now = Instant.now();
    CertificateAuthority authority = CertificateAuthority.create(ring, new SecureRandom(), now);
    return new RingKeys() {
      @Override
      public MemberCredentials member(String principal) {
        try {
          return MemberCredentials.tls(
              authority.issueMember(principal, now),
              List.of(authority.certificate()),
              principal,
              KeyEpochs.FIRST);
        } catch (CertificateException e) {
          throw new IllegalStateException("an authority knows its own certificates", e);
        }
      }

      @Override
      public ClientCredentials client(String principal) {
        try {
          return ClientCredentials.tls(
              authority.issueClient(principal, now), authority.certificate(), KeyEpochs.FIRST);
        } catch (CertificateException e) {
          throw new IllegalStateException("an authority knows its own certificates", e);
        }
      }

      @Override
      public void close() {}
    };
  }
}
