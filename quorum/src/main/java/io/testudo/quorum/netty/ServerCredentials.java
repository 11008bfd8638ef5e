package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.testudo.crypto.CertifiedName;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.HmacHandshake;
import io.testudo.quorum.channel.OpenHandshake;
import io.testudo.quorum.channel.TlsHello;
import io.testudo.quorum.cluster.ServerKeyring;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What a server shows who it is by, and what it asks of its clients. */
public final class ServerCredentials {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final @Nullable SslContext tls;
  private final boolean loopbackOnly;
  private final @Nullable TrustedAuthorities trusted;
  private final Starter starter;

  private interface Starter {
    Handshake begin(Channel channel, Predicate<String> knows) throws SSLException;
  }

  private ServerCredentials(
      @Nullable SslContext tls,
      boolean loopbackOnly,
      @Nullable TrustedAuthorities trusted,
      Starter starter) {
    this.tls = tls;
    this.loopbackOnly = loopbackOnly;
    this.trusted = trusted;
    this.starter = starter;
  }

  /** Both sides prove that they know the key which the cluster's maker gave to this pair. */
  public static ServerCredentials hmac(ServerKeyring keys) {
    return new ServerCredentials(
        null, false, null, (channel, knows) -> HmacHandshake.server(keys, knows, RANDOM));
  }

  /** As {@link #tls(TlsIdentity, List, ServerId)}, with one authority. */
  public static ServerCredentials tls(
      TlsIdentity identity, X509Certificate authority, ServerId self) throws CertificateException {
    return tls(identity, List.of(authority), self);
  }

  /**
   * Both sides show certificates of the cluster's authorities: one, or the one from before and the
   * next one as long as certificates of both are in use.
   *
   * @throws CertificateException if these are not the certificates of that server and authorities
   */
  public static ServerCredentials tls(
      TlsIdentity identity, List<X509Certificate> authorities, ServerId self)
      throws CertificateException {
    TrustedAuthorities trusted = TrustedAuthorities.of(authorities);
    String cluster = trusted.cluster();
    CertifiedName.requireServer(identity.certificate(), cluster, self.index());
    trusted.requireIssued(identity.certificate());
    return new ServerCredentials(
        TlsContexts.server(identity, trusted),
        false,
        trusted,
        (channel, knows) -> TlsHello.server(clientOf(channel, cluster), cluster, self, knows));
  }

  /** Of a member of a ring, without a look at its certificate: others must refuse a wrong one. */
  static ServerCredentials ofMember(TlsIdentity identity, TrustedAuthorities trusted) {
    String ring = trusted.cluster();
    return new ServerCredentials(
        TlsContexts.server(identity, trusted),
        false,
        trusted,
        (channel, knows) ->
            TlsHello.server(memberOrClientOf(channel, ring), ring, NettyPeer.SHARED, knows));
  }

  private static String clientOf(Channel channel, String cluster) throws SSLException {
    try {
      return CertifiedName.requireClient(TlsContexts.peer(channel), cluster);
    } catch (CertificateException e) {
      throw TlsContexts.refused(e);
    }
  }

  private static String memberOrClientOf(Channel channel, String ring) throws SSLException {
    try {
      return CertifiedName.requireMemberOrClient(TlsContexts.peer(channel), ring);
    } catch (CertificateException e) {
      throw TlsContexts.refused(e);
    }
  }

  /** Everybody is believed. For tests: such a server refuses to listen beyond this machine. */
  public static ServerCredentials open(String cluster, ServerId self) {
    return new ServerCredentials(
        null, true, null, (channel, knows) -> OpenHandshake.server(cluster, self, knows));
  }

  @Nullable SslContext tls() {
    return tls;
  }

  /** Whether what the other end has shown over a connection still counts. */
  boolean trusts(Channel channel) {
    return trusted == null || TlsContexts.isOf(trusted, channel);
  }

  /** Refuses an address at which these credentials would be worth nothing. */
  void checkReach(InetSocketAddress address) {
    if (loopbackOnly) {
      LoopbackOnly.check(address);
    }
  }

  /** The handshake of one connection, at its first message. */
  Handshake begin(Channel channel, Predicate<String> knows) throws SSLException {
    return starter.begin(channel, knows);
  }
}
