package io.testudo.crypto;

import com.google.common.base.CharMatcher;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.KeyPurposeId;

/**
 * Whom a certificate of a cluster's authority names. It stands in the subject: O is the cluster, OU
 * the role, CN the server or principal.
 *
 * <p>The role is stated twice, in the subject and in the extended key usage that TLS itself checks;
 * both must agree.
 *
 * @param name {@code s0} for a server, the principal for a client or a member of a ring, the
 *     cluster for the authority
 */
public record CertifiedName(String cluster, Role role, String name) {
  /** The longest cluster or name, in characters. */
  public static final int MAX_NAME_LENGTH = 128;

  private static final CharMatcher PRINTABLE = CharMatcher.inRange('!', '~');
  private static final int MAX_INDEX = 63;

  /** What a certificate is for. */
  public enum Role {
    AUTHORITY("authority"),
    SERVER("server"),
    CLIENT("client"),
    /** A member of a ring, which dials others and is dialled by them. */
    MEMBER("member");

    private final String label;

    Role(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    List<KeyPurposeId> purposes() {
      return switch (this) {
        case AUTHORITY -> List.of(KeyPurposeId.anyExtendedKeyUsage);
        case SERVER -> List.of(KeyPurposeId.id_kp_serverAuth);
        case CLIENT -> List.of(KeyPurposeId.id_kp_clientAuth);
        case MEMBER -> List.of(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);
      };
    }
  }

  public CertifiedName {
    requirePrintable(cluster);
    requirePrintable(name);
  }

  static CertifiedName server(String cluster, int index) {
    if (index < 0 || index > MAX_INDEX) {
      throw new IllegalArgumentException(
          "A server's index is 0 to %s; %s was given.".formatted(MAX_INDEX, index));
    }
    return new CertifiedName(cluster, Role.SERVER, "s" + index);
  }

  static CertifiedName client(String cluster, String principal) {
    return new CertifiedName(cluster, Role.CLIENT, principal);
  }

  static CertifiedName member(String cluster, String principal) {
    return new CertifiedName(cluster, Role.MEMBER, principal);
  }

  /**
   * The name in a certificate. The caller, or TLS, must have checked that the cluster's authority
   * signed it and that it is valid now.
   */
  public static CertifiedName of(X509Certificate certificate) throws CertificateException {
    RDN[] parts;
    try {
      parts = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()).getRDNs();
    } catch (IllegalArgumentException e) {
      throw notOurs();
    }
    if (parts.length != 3) {
      throw notOurs();
    }
    String cluster = text(parts[0], BCStyle.O);
    Role role = role(text(parts[1], BCStyle.OU));
    requireUsage(certificate, role);
    try {
      return new CertifiedName(cluster, role, text(parts[2], BCStyle.CN));
    } catch (IllegalArgumentException e) {
      throw notOurs();
    }
  }

  /** The principal in a client's certificate; anything else is refused. */
  public static String requireClient(X509Certificate certificate, String cluster)
      throws CertificateException {
    return require(certificate, cluster, Role.CLIENT).name();
  }

  /** The principal in the certificate of a member of a ring; anything else is refused. */
  public static String requireMember(X509Certificate certificate, String cluster)
      throws CertificateException {
    return require(certificate, cluster, Role.MEMBER).name();
  }

  /** The principal of one who dials a member of a ring: another one, or a client. */
  public static String requireMemberOrClient(X509Certificate certificate, String cluster)
      throws CertificateException {
    Role role = of(certificate).role() == Role.MEMBER ? Role.MEMBER : Role.CLIENT;
    return require(certificate, cluster, role).name();
  }

  /** Refuses any certificate but that of this server. */
  public static void requireServer(X509Certificate certificate, String cluster, int index)
      throws CertificateException {
    CertifiedName found = require(certificate, cluster, Role.SERVER);
    if (!found.equals(server(cluster, index))) {
      throw new CertificateException(
          "Server s%s was dialled, the certificate names %s; correct the addresses."
              .formatted(index, found.name()));
    }
  }

  private static CertifiedName require(X509Certificate certificate, String cluster, Role role)
      throws CertificateException {
    CertifiedName found = of(certificate);
    if (!found.cluster().equals(cluster)) {
      throw new CertificateException(
          "The certificate is of cluster %s, this is %s; use the certificates of one cluster."
              .formatted(found.cluster(), cluster));
    }
    if (found.role() != role) {
      throw new CertificateException(
          "A %s shows the certificate of a %s; give it its own."
              .formatted(role.label, found.role().label));
    }
    return found;
  }

  X500Name toX500() {
    // Not from plain strings: those that start with '#' would be taken for hexadecimal digits.
    return new X500NameBuilder(BCStyle.INSTANCE)
        .addRDN(BCStyle.O, new DERUTF8String(cluster))
        .addRDN(BCStyle.OU, new DERUTF8String(role.label))
        .addRDN(BCStyle.CN, new DERUTF8String(name))
        .build();
  }

  private static void requireUsage(X509Certificate certificate, Role role)
      throws CertificateParsingException, CertificateException {
    boolean isAuthority = certificate.getBasicConstraints() >= 0;
    List<String> usage = certificate.getExtendedKeyUsage();
    boolean fits =
        role == Role.AUTHORITY
            ? isAuthority
            : !isAuthority
                && role.purposes().stream().map(KeyPurposeId::getId).toList().equals(usage);
    if (!fits) {
      throw notOurs();
    }
  }

  private static Role role(String label) throws CertificateException {
    for (Role role : Role.values()) {
      if (role.label.equals(label)) {
        return role;
      }
    }
    throw notOurs();
  }

  private static String text(RDN part, ASN1ObjectIdentifier type) throws CertificateException {
    if (part.isMultiValued()
        || !part.getFirst().getType().equals(type)
        || !(part.getFirst().getValue() instanceof ASN1String text)) {
      throw notOurs();
    }
    return text.getString();
  }

  private static void requirePrintable(String text) {
    if (text.isEmpty() || text.length() > MAX_NAME_LENGTH || !PRINTABLE.matchesAllOf(text)) {
      throw new IllegalArgumentException(
          "A name in a certificate has 1 to %s printable ASCII characters without spaces."
              .formatted(MAX_NAME_LENGTH));
    }
  }

  private static CertificateException notOurs() {
    return new CertificateException(
        "The certificate is not of the kind a Testudo cluster issues; use the cluster's own.");
  }
}
