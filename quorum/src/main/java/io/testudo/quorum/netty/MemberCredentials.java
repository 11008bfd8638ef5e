package io.testudo.quorum.netty;

import io.testudo.crypto.CertifiedName;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.ServerKeyring;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a member of a ring shows who it is by.
 *
 * @param accepting to those who dial it
 * @param dialling to those whom it dials
 */
public record MemberCredentials(ServerCredentials accepting, ClientCredentials dialling) {
  /**
   * It proves by keys of its own who it is to those whom it dials. To those who dial it it proves
   * that it is a member, by keys that all members share: any of them could be another.
   */
  public static MemberCredentials hmac(ServerKeyring shared, ClientKeyring own) {
    return new MemberCredentials(ServerCredentials.hmac(shared), ClientCredentials.hmac(own));
  }

  /**
   * It shows one certificate at either end of a connection, which says who it is.
   *
   * @param member its principal
   * @throws CertificateException if that is not the certificate of this member and of an authority
   */
  public static MemberCredentials tls(
      TlsIdentity identity, List<X509Certificate> authorities, String member, KeyEpochs epochs)
      throws CertificateException {
    TrustedAuthorities trusted = TrustedAuthorities.of(authorities);
    String certified = CertifiedName.requireMember(identity.certificate(), trusted.cluster());
    if (!certified.equals(member)) {
      throw new CertificateException(
          "The certificate is that of member %s, this is %s; give it its own."
              .formatted(certified, member));
    }
    trusted.requireIssued(identity.certificate());
    return unchecked(identity, trusted, member, epochs);
  }

  /** Without a look at the own certificate: others must refuse a wrong one. */
  static MemberCredentials unchecked(
      TlsIdentity identity, TrustedAuthorities trusted, String member, KeyEpochs epochs) {
    return new MemberCredentials(
        ServerCredentials.ofMember(identity, trusted),
        ClientCredentials.tls(identity, trusted, trusted.cluster(), member, epochs));
  }

  /** Nothing is proven. For tests: such a member refuses to listen and talk beyond this machine. */
  public static MemberCredentials open(String ring, String member) {
    return new MemberCredentials(
        ServerCredentials.open(ring, NettyPeer.SHARED), ClientCredentials.open(ring, member));
  }
}
