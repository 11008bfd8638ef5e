package io.testudo.crypto;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * A certificate with its private key, in memory and as PEM files. The key's file follows the rules
 * of {@link KeyFile} for secrets, the certificate's those for public keys.
 */
public final class TlsIdentity {
  /** The longest PEM file, in bytes. */
  public static final int MAX_BYTES = 16 << 10;

  static final String KEY_ALGORITHM = "EC";

  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final int LINE_LENGTH = 64;
  private static final byte[] LINE_FEED = {'\n'};

  private final X509Certificate certificate;
  private final PrivateKey key;

  TlsIdentity(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /** The private key, for the TLS implementation. */
  public PrivateKey key() {
    return key;
  }

  /** Writes both into new files; the key for its owner only. */
  public void write(Path certificateFile, Path keyFile) throws KeyFileException {
    byte[] encodedKey = key.getEncoded();
    byte[] pem = pem(PRIVATE_KEY, encodedKey);
    try {
      ProtectedFile.write(keyFile, true, pem);
    } finally {
      SecretBytes.wipe(encodedKey);
      SecretBytes.wipe(pem);
    }
    writeCertificate(certificateFile, certificate);
  }

  /** Reads both and checks that they belong together. */
  public static TlsIdentity read(Path certificateFile, Path keyFile) throws KeyFileException {
    X509Certificate certificate = readCertificate(certificateFile);
    byte[] text = ProtectedFile.read(keyFile, true, MAX_BYTES);
    byte[] der = unpem(text, PRIVATE_KEY, keyFile);
    try {
      PrivateKey key =
          KeyFactory.getInstance(KEY_ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der));
      TlsIdentity identity = new TlsIdentity(certificate, key);
      if (identity.belongsTogether()) {
        return identity;
      }
    } catch (GeneralSecurityException e) {
      // Told without a cause: a parser's message may quote the key.
      throw new KeyFileException(
          "%s holds no EC key that fits its certificate; restore it or issue a new one."
              .formatted(keyFile));
    } finally {
      SecretBytes.wipe(text);
      SecretBytes.wipe(der);
    }
    throw new KeyFileException(
        "%s is not the key of %s; name files that belong together."
            .formatted(keyFile, certificateFile));
  }

  /** Writes a certificate, such as that of the authority, into a new file. */
  public static void writeCertificate(Path file, X509Certificate certificate)
      throws KeyFileException {
    try {
      ProtectedFile.write(file, false, pem(CERTIFICATE, certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("The certificate can't be encoded; issue it anew.", e);
    }
  }

  /** Reads a certificate that only its owner can have changed. */
  public static X509Certificate readCertificate(Path file) throws KeyFileException {
    return certificateIn(ProtectedFile.read(file, false, MAX_BYTES), file);
  }

  static X509Certificate certificateIn(byte[] text, Path file) throws KeyFileException {
    byte[] der = unpem(text, CERTIFICATE, file);
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (GeneralSecurityException e) {
      throw new KeyFileException(
          "%s holds no certificate; restore it or issue a new one.".formatted(file), e);
    }
  }

  private boolean belongsTogether() throws GeneralSecurityException {
    byte[] sample = "testudo-tls-identity".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(sample);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(sample);
    return signature.verify(signed);
  }

  private static byte[] pem(String label, byte[] der) {
    byte[] data = Base64.getMimeEncoder(LINE_LENGTH, LINE_FEED).encode(der);
    byte[] head = head(label);
    byte[] tail = tail(label);
    byte[] text = Arrays.copyOf(head, head.length + data.length + tail.length);
    System.arraycopy(data, 0, text, head.length, data.length);
    System.arraycopy(tail, 0, text, head.length + data.length, tail.length);
    SecretBytes.wipe(data);
    return text;
  }

  /** Only what {@link #pem} writes, to the byte. */
  private static byte[] unpem(byte[] text, String label, Path file) throws KeyFileException {
    byte[] head = head(label);
    int end = text.length - tail(label).length;
    if (end >= head.length) {
      byte[] data = Arrays.copyOfRange(text, head.length, end);
      try {
        byte[] der = Base64.getMimeDecoder().decode(data);
        if (ConstantTime.equal(text, pem(label, der))) {
          return der;
        }
      } catch (IllegalArgumentException e) {
        // Told below, without a cause: the decoder's message quotes a character of the key.
      } finally {
        SecretBytes.wipe(data);
      }
    }
    throw new KeyFileException(
        "%s is no PEM file of one %s, as Testudo writes it; name the right file or restore it."
            .formatted(file, label));
  }

  private static byte[] head(String label) {
    return ("-----BEGIN " + label + "-----\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] tail(String label) {
    return ("\n-----END " + label + "-----\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Names the subject, never the key. */
  @Override
  public String toString() {
    return "TlsIdentity(" + certificate.getSubjectX500Principal() + ")";
  }
}
