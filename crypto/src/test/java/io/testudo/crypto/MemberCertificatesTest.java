package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Certificates of members that somebody else has told of. */
class MemberCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final CertificateAuthority authority =
      CertificateAuthority.create("ring", new SecureRandom(), NOW);
  private final TrustedAuthorities trusted;
  private final X509Certificate member = authority.issueMember("m1", NOW).certificate();

  MemberCertificatesTest() throws CertificateException {
    this.trusted = TrustedAuthorities.of(List.of(authority.certificate()));
  }

  private void assertRefused(byte[] encoded, Instant at) {
    assertThatExceptionOfType(CertificateException.class)
        .isThrownBy(() -> trusted.memberIn(encoded, at));
  }

  @Test
  void takesThoseOfItsAuthoritiesWhileTheyAreValid() throws CertificateException {
    byte[] encoded = member.getEncoded();
    assertThat(trusted.memberIn(encoded, NOW)).isEqualTo(member);
    assertRefused(encoded, NOW.plus(CertificateAuthority.VALIDITY).plusSeconds(1));
    assertRefused(encoded, NOW.minus(Duration.ofHours(2)));
    CertificateAuthority other = CertificateAuthority.create("ring", new SecureRandom(), NOW);
    assertRefused(other.issueMember("m1", NOW).certificate().getEncoded(), NOW);
  }

  @Test
  void takesNoOthersThanMembers() throws CertificateException {
    assertRefused(authority.issueClient("m1", NOW).certificate().getEncoded(), NOW);
    assertRefused(
        authority.issueServer(1, List.of("localhost"), NOW).certificate().getEncoded(), NOW);
    assertRefused(authority.certificate().getEncoded(), NOW);
  }

  @Test
  void takesNothingBesideACertificate() throws CertificateException {
    byte[] encoded = member.getEncoded();
    assertRefused(Arrays.copyOf(encoded, encoded.length + 1), NOW);
    assertRefused(Arrays.copyOf(encoded, encoded.length - 1), NOW);
    assertRefused(new byte[0], NOW);
  }

  /** Whatever a parser makes of it. */
  @Test
  void noBytesThrowAnythingElse() throws CertificateException {
    Random random = new Random(5);
    for (int i = 0; i < 3_000; i++) {
      byte[] encoded = member.getEncoded();
      for (int j = 0; j <= i % 4; j++) {
        encoded[random.nextInt(encoded.length)] = (byte) random.nextInt(256);
      }
      if (!Arrays.equals(encoded, member.getEncoded())) {
        assertRefused(encoded, NOW);
      }
    }
  }
}
