package io.testudo.client.config;

import com.google.common.collect.ImmutableSet;
import io.testudo.crypto.Digest;
import io.testudo.crypto.KeyFile;
import io.testudo.crypto.SigningKey;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.MemberCredentials;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.netty.ServerCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Optional;

/**
 * Where a member's keys are. With hmac a key bundle holds all; with tls a member has a certificate,
 * and a client that seals has the bundle as well, for its group keys.
 *
 * @param hasKeys whether the configuration names a bundle, which tls does not need
 * @param signingKey of a client, where seals are signatures
 */
public record CredentialFiles(
    Path keys,
    Path certificate,
    Path privateKey,
    Path authority,
    boolean hasKeys,
    Optional<Path> signingKey)
    implements Credentials {

  /** As a configuration names them. */
  public static CredentialFiles of(Settings settings, String defaultKeys) {
    return new CredentialFiles(
        settings.path("keys", defaultKeys),
        settings.path("tls.certificate", "certificate.pem"),
        settings.path("tls.private-key", "private-key.pem"),
        settings.path("tls.authority", "authority.pem"),
        settings.has("keys"),
        settings.path("signing-key"));
  }

  /** What a server shows; refuses keys of another cluster or server. */
  public ServerCredentials server(ClusterDescription cluster, ServerId self) {
    return reading(
        () ->
            switch (cluster.security()) {
              case HMAC -> {
                ServerKeyring keyring = ServerKeyring.read(keys);
                requireCluster(cluster, keyring.cluster());
                if (!keyring.server().equals(self)) {
                  throw new ConfigurationException(
                      "%s holds the keys of %s, but this is %s; name the right file."
                          .formatted(keys, keyring.server(), self));
                }
                yield ServerCredentials.hmac(keyring);
              }
              case TLS ->
                  ServerCredentials.tls(
                      TlsIdentity.read(certificate, privateKey),
                      TrustedAuthorities.read(authority),
                      self);
              case OPEN -> ServerCredentials.open(cluster.name(), self);
            });
  }

  /**
   * What a member of a ring shows.
   *
   * @param shared keys by which all members take connections, where certificates do not serve
   */
  public MemberCredentials member(ClusterDescription ring, String member, CredentialFiles shared) {
    return ring.security() == SecurityMode.TLS
        ? reading(
            () ->
                MemberCredentials.tls(
                    TlsIdentity.read(certificate, privateKey),
                    TrustedAuthorities.read(authority),
                    member,
                    ring.epochs()))
        : new MemberCredentials(shared.server(ring, NettyPeer.SHARED), client(ring, member));
  }

  @Override
  public ClientCredentials client(ClusterDescription cluster, String principal) {
    return reading(
        () ->
            switch (cluster.security()) {
              case HMAC -> ClientCredentials.hmac(keyring(cluster, principal));
              case TLS ->
                  ClientCredentials.tls(
                      TlsIdentity.read(certificate, privateKey),
                      TrustedAuthorities.read(authority),
                      cluster.epochs());
              case OPEN -> ClientCredentials.open(cluster.name(), principal, cluster.epochs());
            });
  }

  @Override
  public Optional<ClientKeyring> keyringOf(ClusterDescription cluster, String principal) {
    return hasKeys || cluster.security() == SecurityMode.HMAC
        ? Optional.of(reading(() -> keyring(cluster, principal)))
        : Optional.empty();
  }

  @Override
  public Optional<SigningKey> signingKeyOf(ClusterDescription cluster, String principal) {
    VerifyingKey known = cluster.signingKeys().get(principal);
    if (signingKey.isEmpty()) {
      if (known == null) {
        return Optional.empty(); // Who seals nothing needs none.
      }
      throw new ConfigurationException(
          "Seals are signatures, the cluster file has the key of %s, and no 'signing-key' is named; add it."
              .formatted(principal));
    }
    SigningKey own = reading(() -> KeyFile.readSigningKey(signingKey.get()));
    if (!own.verifyingKey().equals(known)) {
      own.close();
      throw new ConfigurationException(
          known == null
              ? "The cluster file has no 'signing-key' of %s, and others would not know %s; have it added there, and in the files of all others."
                  .formatted(principal, signingKey.get())
              : "%s is not the key that the cluster file has of %s; name the right file, or bring both anew."
                  .formatted(signingKey.get(), principal));
    }
    return Optional.of(own);
  }

  private ClientKeyring keyring(ClusterDescription cluster, String principal) throws IOException {
    ClientKeyring keyring = ClientKeyring.read(keys);
    try {
      keyring.requireFor(cluster);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("%s: %s".formatted(keys, e.getMessage()), e);
    }
    if (!keyring.principal().equals(principal)) {
      throw new ConfigurationException(
          "%s holds the keys of %s, not those of %s; name the right file."
              .formatted(keys, keyring.principal(), principal));
    }
    return keyring;
  }

  private void requireCluster(ClusterDescription cluster, String found) {
    if (!found.equals(cluster.name())) {
      throw new ConfigurationException(
          "%s holds keys for cluster %s, not for %s; name the right file."
              .formatted(keys, found, cluster.name()));
    }
  }

  /** All, whether they are there or not. */
  public ImmutableSet<Path> files() {
    ImmutableSet.Builder<Path> files = ImmutableSet.builder();
    files.add(keys, certificate, privateKey, authority);
    signingKey.ifPresent(files::add);
    return files.build();
  }

  /**
   * A fingerprint of the files' contents, by which keys that were replaced in place are noticed.
   */
  @Override
  public String print() {
    Digest.Builder print = Digest.builder("testudo-credentials");
    for (Path file : files()) {
      try {
        print.add(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
      } catch (IOException e) {
        throw new ConfigurationException(
            "%s could not be read (%s); see that this user may read it.".formatted(file, e), e);
      }
    }
    return print.build().toString();
  }

  private interface Reading<T> {
    T read() throws IOException, CertificateException;
  }

  private static <T> T reading(Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()), e);
    } catch (CertificateException e) {
      throw new ConfigurationException(
          "The certificates do not fit: %s; name the right files.".formatted(e.getMessage()), e);
    }
  }
}
