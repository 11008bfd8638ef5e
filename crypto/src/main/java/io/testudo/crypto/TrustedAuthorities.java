package io.testudo.crypto;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;

/**
 * The authorities whose certificates count in a cluster: one, or for a while the one from before
 * and the next. All are of the same cluster.
 */
public final class TrustedAuthorities {
  /** So many at a time. */
  public static final int MAX_AUTHORITIES = 8;

  private static final String END = "\n-----END CERTIFICATE-----\n";

  private final String cluster;
  private final List<X509Certificate> certificates;

  private TrustedAuthorities(String cluster, List<X509Certificate> certificates) {
    this.cluster = cluster;
    this.certificates = certificates;
  }

  /**
   * These.
   *
   * @throws CertificateException if one is no authority, or they are of different clusters
   */
  public static TrustedAuthorities of(List<X509Certificate> certificates)
      throws CertificateException {
    if (certificates.isEmpty() || certificates.size() > MAX_AUTHORITIES) {
      throw new CertificateException(
          "A cluster has 1 to %s authorities; %s were given."
              .formatted(MAX_AUTHORITIES, certificates.size()));
    }
    String cluster = CertifiedName.of(certificates.get(0)).cluster();
    for (X509Certificate certificate : certificates) {
      CertifiedName name = CertifiedName.of(certificate);
      if (name.role() != CertifiedName.Role.AUTHORITY || !name.cluster().equals(cluster)) {
        throw new CertificateException(
            "A certificate among the authorities is of a %s of cluster %s, not the authority of %s."
                .formatted(name.role().label(), name.cluster(), cluster));
      }
    }
    return new TrustedAuthorities(cluster, List.copyOf(certificates));
  }

  /** Whether all of these are among them. */
  public boolean include(TrustedAuthorities others) {
    return certificates.containsAll(others.certificates);
  }

  /**
   * Reads a PEM file of certificates, one after the other, that only its owner can have changed.
   */
  public static List<X509Certificate> read(Path file) throws KeyFileException {
    String text =
        new String(
            ProtectedFile.read(file, false, MAX_AUTHORITIES * TlsIdentity.MAX_BYTES),
            StandardCharsets.US_ASCII);
    List<X509Certificate> found = new ArrayList<>();
    int begin = 0;
    do {
      int end = text.indexOf(END, begin);
      int next = end < 0 ? text.length() : end + END.length();
      byte[] one = text.substring(begin, next).getBytes(StandardCharsets.US_ASCII);
      found.add(TlsIdentity.certificateIn(one, file));
      begin = next;
    } while (begin < text.length() && found.size() < MAX_AUTHORITIES);
    if (begin < text.length()) {
      throw new KeyFileException(
          "%s holds more than %s certificates; remove those of authorities that are not in use."
              .formatted(file, MAX_AUTHORITIES));
    }
    return found;
  }

  public String cluster() {
    return cluster;
  }

  public X509Certificate[] certificates() {
    return certificates.toArray(new X509Certificate[0]);
  }

  /** Whether one of them signed it. */
  public boolean haveIssued(X509Certificate certificate) {
    for (X509Certificate authority : certificates) {
      try {
        certificate.verify(authority.getPublicKey());
        return true;
      } catch (GeneralSecurityException e) {
        // Not this one.
      }
    }
    return false;
  }

  /** Refuses one that nobody would take: of another authority, or not valid at this time. */
  public void requireIssued(X509Certificate certificate) throws CertificateException {
    if (!haveIssued(certificate)) {
      throw new CertificateException(
          "The certificate of %s is not of the cluster's authority."
              .formatted(CertifiedName.of(certificate).name()));
    }
    certificate.checkValidity();
  }

  /**
   * The certificate of a member of a ring that somebody has told of, byte for byte as it was
   * issued.
   *
   * @param encoded in DER, from anybody
   * @throws CertificateException if it is anything but a member's, of one of these authorities, and
   *     valid at that time
   */
  public X509Certificate memberIn(byte[] encoded, Instant at) throws CertificateException {
    try {
      X509Certificate certificate = parsed(encoded);
      if (!Arrays.equals(certificate.getEncoded(), encoded)) {
        throw new CertificateException("The bytes are more than a certificate, or not its own.");
      }
      String unused = CertifiedName.requireMember(certificate, cluster);
      certificate.checkValidity(Date.from(at));
      if (!haveIssued(certificate)) { // Last: it is what costs.
        throw new CertificateException("The certificate is not of the ring's authority.");
      }
      return certificate;
    } catch (RuntimeException e) { // Whatever parsers make of what a peer has sent.
      throw new CertificateException("The bytes are no certificate.", e);
    }
  }

  private static X509Certificate parsed(byte[] encoded) throws CertificateException {
    if (CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded))
        instanceof X509Certificate certificate) {
      return certificate;
    }
    throw new CertificateException("The bytes are no certificate.");
  }
}
