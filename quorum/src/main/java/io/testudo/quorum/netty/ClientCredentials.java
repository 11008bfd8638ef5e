package io.testudo.quorum.netty;

import com.google.common.net.InetAddresses;
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
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.KeyEpochs;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What a client shows who it is by, and what it asks of its servers, or of members of a ring. */
public final class ClientCredentials {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final @Nullable SslContext tls;
  private final boolean loopbackOnly;
  private final String principal;
  private final Starter starter;

  /** There with TLS. */
  private final @Nullable Certification certification;

  private final @Nullable TrustedAuthorities trusted;

  /** Whether members of a ring are dialled, which are known by their principals. */
  private final boolean dialsMembers;

  private interface Starter {
    Handshake begin(ServerId server, long session);
  }

  private ClientCredentials(
      @Nullable SslContext tls,
      boolean loopbackOnly,
      String principal,
      Starter starter,
      @Nullable Certification certification,
      boolean dialsMembers) {
    this.tls = tls;
    this.loopbackOnly = loopbackOnly;
    this.principal = principal;
    this.starter = starter;
    this.certification = certification;
    this.trusted = certification == null ? null : certification.authorities();
    this.dialsMembers = dialsMembers;
  }

  /** Both sides prove that they know the key which the cluster's maker gave to this pair. */
  public static ClientCredentials hmac(ClientKeyring keys) {
    return new ClientCredentials(
        null,
        false,
        keys.principal(),
        (server, session) -> HmacHandshake.client(keys, server, session, RANDOM),
        null,
        false);
  }

  /**
   * Both sides show certificates of the cluster's authority.
   *
   * @param epochs of the keys by which the client seals, or of its cluster file if it has none
   * @throws CertificateException if these are not certificates of a client and its authority
   */
  public static ClientCredentials tls(
      TlsIdentity identity, X509Certificate authority, KeyEpochs epochs)
      throws CertificateException {
    return tls(identity, List.of(authority), epochs);
  }

  /** As above; there are two authorities while certificates of both are in use. */
  public static ClientCredentials tls(
      TlsIdentity identity, List<X509Certificate> authorities, KeyEpochs epochs)
      throws CertificateException {
    TrustedAuthorities trusted = TrustedAuthorities.of(authorities);
    String principal = CertifiedName.requireClient(identity.certificate(), trusted.cluster());
    trusted.requireIssued(identity.certificate());
    return tls(identity, trusted, trusted.cluster(), principal, epochs);
  }

  /** Without a look at the own certificate: the servers must refuse a wrong one. */
  static ClientCredentials tls(
      TlsIdentity identity,
      TrustedAuthorities authorities,
      String cluster,
      String principal,
      KeyEpochs epochs) {
    return new ClientCredentials(
        TlsContexts.client(identity, authorities),
        false,
        principal,
        (server, session) -> TlsHello.client(principal, session, cluster, server, epochs),
        new Certification(authorities, identity.certificate()),
        false);
  }

  /** The same towards members of a ring: whoever answers must have a member's certificate. */
  ClientCredentials towardsMembers() {
    return new ClientCredentials(tls, loopbackOnly, principal, starter, certification, true);
  }

  /** What it shows and takes with TLS, else null. */
  @Nullable Certification certification() {
    return certification;
  }

  /**
   * The member of a ring that answers; null where they all show the same.
   *
   * @throws SSLException if it is none
   */
  @Nullable String answering(Channel channel) throws SSLException {
    try {
      return trusted == null || !dialsMembers
          ? null
          : CertifiedName.requireMember(TlsContexts.peer(channel), trusted.cluster());
    } catch (CertificateException e) {
      throw TlsContexts.refused(e);
    }
  }

  /** Whether what the other end has shown over a connection still counts. */
  boolean trusts(Channel channel) {
    return trusted == null || TlsContexts.isOf(trusted, channel);
  }

  /** Nothing is proven. For tests: such a client refuses to talk beyond this machine. */
  public static ClientCredentials open(String cluster, String principal) {
    return open(cluster, principal, KeyEpochs.FIRST);
  }

  /** As above, with a cluster file of these epochs. */
  public static ClientCredentials open(String cluster, String principal, KeyEpochs epochs) {
    return new ClientCredentials(
        null,
        true,
        principal,
        (server, session) -> OpenHandshake.client(principal, session, cluster, server, epochs),
        null,
        false);
  }

  /** Who the client says it is. */
  String principal() {
    return principal;
  }

  @Nullable SslContext tls() {
    return tls;
  }

  /** Refuses an address at which these credentials would be worth nothing. */
  void checkReach(InetSocketAddress address) {
    if (loopbackOnly) {
      LoopbackOnly.check(address);
    }
  }

  /** As {@link #checkReach(InetSocketAddress)}; names are looked up, in open mode only. */
  void checkReach(Endpoint endpoint, HostResolver resolver) {
    if (loopbackOnly) {
      try {
        List<InetSocketAddress> found =
            InetAddresses.isInetAddress(endpoint.host())
                ? List.of(
                    new InetSocketAddress(
                        InetAddresses.forString(endpoint.host()), endpoint.port()))
                : resolver.resolve(endpoint.host(), endpoint.port());
        found.forEach(LoopbackOnly::check);
      } catch (UnknownHostException e) {
        LoopbackOnly.check(InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port()));
      }
    }
  }

  /** The same as one that is to connect there later. */
  boolean reaches(InetSocketAddress address) {
    return !loopbackOnly || address.getAddress().isLoopbackAddress();
  }

  /** The handshake of one connection; with TLS the other end has shown its certificate by then. */
  Handshake begin(Channel channel, ServerId server, long session) throws SSLException {
    if (dialsMembers) {
      var unused = answering(channel);
    } else if (trusted != null) {
      requireServer(channel, trusted.cluster(), server);
    }
    return starter.begin(server, session);
  }

  private static void requireServer(Channel channel, String cluster, ServerId server)
      throws SSLException {
    try {
      CertifiedName.requireServer(TlsContexts.peer(channel), cluster, server.index());
    } catch (CertificateException e) {
      throw TlsContexts.refused(e);
    }
  }

  /** A session that no other start of a process has. */
  static long newSession() {
    return RANDOM.nextLong();
  }
}
