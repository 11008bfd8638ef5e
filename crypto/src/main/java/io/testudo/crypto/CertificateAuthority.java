package io.testudo.crypto;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The authority of one cluster or ring, which certifies its servers, members and clients for mutual
 * TLS. It trusts nobody else and nobody else trusts it.
 *
 * <p>Keys are ECDSA on P-256: every implementation of TLS 1.3 must have it (RFC 8446, section 9.1),
 * while Ed25519 certificates are optional.
 */
public final class CertificateAuthority {
  /** How long certificates are valid. */
  public static final Duration VALIDITY = Duration.ofDays(3_650);

  /** The most hosts in one certificate. */
  public static final int MAX_HOSTS = 16;

  /** Clocks of a cluster may differ by this much when its certificates are new. */
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;
  private static final GeneralNames NO_HOSTS = new GeneralNames(new GeneralName[0]);

  private final String cluster;
  private final TlsIdentity identity;
  private final SecureRandom random;

  private CertificateAuthority(String cluster, TlsIdentity identity, SecureRandom random) {
    this.cluster = cluster;
    this.identity = identity;
    this.random = random;
  }

  /** A new authority for the cluster of this name. */
  public static CertificateAuthority create(String cluster, SecureRandom random, Instant now) {
    KeyPair keys = newKeys(random);
    CertifiedName name = new CertifiedName(cluster, CertifiedName.Role.AUTHORITY, cluster);
    try {
      X509v3CertificateBuilder builder = builder(name, name, keys.getPublic(), random, now);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      X509Certificate certificate = signed(builder, keys);
      return new CertificateAuthority(
          cluster, new TlsIdentity(certificate, keys.getPrivate()), random);
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw unsupported(e);
    }
  }

  /** Reads an authority that was written before. */
  public static CertificateAuthority read(Path certificateFile, Path keyFile, SecureRandom random)
      throws KeyFileException {
    TlsIdentity identity = TlsIdentity.read(certificateFile, keyFile);
    try {
      CertifiedName name = CertifiedName.of(identity.certificate());
      if (name.role() == CertifiedName.Role.AUTHORITY) {
        return new CertificateAuthority(name.cluster(), identity, random);
      }
    } catch (GeneralSecurityException e) {
      throw new KeyFileException(
          "%s is no certificate of a cluster's authority; name the right file."
              .formatted(certificateFile),
          e);
    }
    throw new KeyFileException(
        "%s certifies a member, not the authority; name the right file."
            .formatted(certificateFile));
  }

  /** Writes certificate and key into new files; the key for its owner only. */
  public void write(Path certificateFile, Path keyFile) throws KeyFileException {
    identity.write(certificateFile, keyFile);
  }

  /** The name of the cluster. */
  public String cluster() {
    return cluster;
  }

  /** What all members must trust, and nothing else. */
  public X509Certificate certificate() {
    return identity.certificate();
  }

  /**
   * A new key and certificate for a server.
   *
   * @param index its place in the membership
   * @param hosts the names and addresses under which it is dialled
   */
  public TlsIdentity issueServer(int index, List<String> hosts, Instant now) {
    if (hosts.isEmpty() || hosts.size() > MAX_HOSTS) {
      throw new IllegalArgumentException(
          "A server's certificate names 1 to %s hosts; %s were given."
              .formatted(MAX_HOSTS, hosts.size()));
    }
    GeneralName[] names =
        hosts.stream().map(CertificateAuthority::host).toArray(GeneralName[]::new);
    return issue(CertifiedName.server(cluster, index), new GeneralNames(names), now);
  }

  /** A new key and certificate for the processes of a principal. */
  public TlsIdentity issueClient(String principal, Instant now) {
    return issue(CertifiedName.client(cluster, principal), NO_HOSTS, now);
  }

  /**
   * A new key and certificate for a member of a ring, both to dial others and to be dialled. It
   * names no hosts: members move, and are known by their principals.
   */
  public TlsIdentity issueMember(String principal, Instant now) {
    return issue(CertifiedName.member(cluster, principal), NO_HOSTS, now);
  }

  private TlsIdentity issue(CertifiedName name, GeneralNames hosts, Instant now) {
    KeyPair keys = newKeys(random);
    try {
      CertifiedName issuer = CertifiedName.of(identity.certificate());
      X509v3CertificateBuilder builder = builder(issuer, name, keys.getPublic(), random, now);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage,
          true,
          new ExtendedKeyUsage(name.role().purposes().toArray(new KeyPurposeId[0])));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils()
              .createAuthorityKeyIdentifier(identity.certificate().getPublicKey()));
      if (hosts.getNames().length > 0) {
        builder.addExtension(Extension.subjectAlternativeName, false, hosts);
      }
      X509Certificate certificate =
          signed(builder, new KeyPair(identity.certificate().getPublicKey(), identity.key()));
      return new TlsIdentity(certificate, keys.getPrivate());
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw unsupported(e);
    }
  }

  private static X509v3CertificateBuilder builder(
      CertifiedName issuer, CertifiedName subject, PublicKey key, SecureRandom random, Instant now)
      throws GeneralSecurityException, CertIOException {
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer.toX500(),
            // Never zero, which RFC 5280 forbids.
            new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(now.plus(VALIDITY)),
            subject.toX500(),
            key);
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
    return builder;
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, KeyPair signer)
      throws GeneralSecurityException, OperatorCreationException {
    X509Certificate certificate =
        new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(new JcaContentSignerBuilder(SIGNATURE).build(signer.getPrivate())));
    certificate.verify(signer.getPublic());
    return certificate;
  }

  private static GeneralName host(String host) {
    return new GeneralName(
        InetAddresses.isInetAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  private static KeyPair newKeys(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(TlsIdentity.KEY_ALGORITHM);
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw unsupported(e);
    }
  }

  private static IllegalStateException unsupported(Exception cause) {
    return new IllegalStateException(
        "This Java runtime can't make ECDSA certificates; use one with its standard providers.",
        cause);
  }
}
