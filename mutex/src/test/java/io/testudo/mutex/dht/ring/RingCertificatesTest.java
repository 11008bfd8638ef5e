package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.netty.Certification;
import io.testudo.quorum.protocol.Moment;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which certificates prove that a place is somebody's, and what it costs to find that out. */
class RingCertificatesTest {
  private static final String RING = "ring";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final NodeId SELF = NodeNames.member("m0");
  private static final NodeId SPEAKER = NodeNames.member("m1");

  private final CertificateAuthority authority = authority(RING);
  private final TlsIdentity own = authority.issueMember("m0", START);
  private @Nullable Certification present = certification(authority);
  private final RingCertificates certificates = new RingCertificates(SELF, () -> present);

  private static CertificateAuthority authority(String ring) {
    return CertificateAuthority.create(ring, new SecureRandom(), START);
  }

  private Certification certification(CertificateAuthority... trusted) {
    try {
      List<X509Certificate> all =
          Arrays.stream(trusted).map(CertificateAuthority::certificate).toList();
      return new Certification(TrustedAuthorities.of(all), own.certificate());
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Moment at(Duration later) {
    return new Moment(later.toNanos(), START.plus(later).toEpochMilli());
  }

  private static final Moment NOW = at(Duration.ofMinutes(1));

  private static MemberCertificate of(NodeId id, X509Certificate certificate) {
    try {
      return new MemberCertificate(id, Bytes.wrap(certificate.getEncoded()));
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MemberCertificate issued(CertificateAuthority by, String principal) {
    return of(NodeNames.member(principal), by.issueMember(principal, START).certificate());
  }

  private boolean isGenuine(MemberCertificate certificate) {
    return certificates.isGenuine(SPEAKER, certificate, NOW);
  }

  @Test
  void takesWhatTheAuthorityHasIssuedForThatPlace() {
    assertThat(certificates.areProofs()).isTrue();
    assertThat(isGenuine(issued(authority, "m2"))).isTrue();
    // The certificate of another.
    MemberCertificate other = issued(authority, "m3");
    assertThat(isGenuine(new MemberCertificate(SELF, other.proof()))).isFalse();
    // That of another authority, though it calls itself the same.
    assertThat(isGenuine(issued(authority(RING), "m2"))).isFalse();
    assertThat(isGenuine(issued(authority("elsewhere"), "m2"))).isFalse();
    // A client's, which has a principal, too.
    NodeId alice = NodeNames.member("alice");
    assertThat(isGenuine(of(alice, authority.issueClient("alice", START).certificate()))).isFalse();
    // The authority's own.
    assertThat(isGenuine(of(NodeNames.member(RING), authority.certificate()))).isFalse();
  }

  @Test
  void refusesWhatIsNoCertificateByteForByte() {
    MemberCertificate good = issued(authority, "m2");
    byte[] bytes = good.proof().toByteArray();
    for (int i : new int[] {0, bytes.length / 2, bytes.length - 1}) {
      byte[] forged = bytes.clone();
      forged[i] ^= 1;
      assertThat(isGenuine(new MemberCertificate(good.id(), Bytes.wrap(forged)))).isFalse();
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThat(isGenuine(new MemberCertificate(good.id(), Bytes.wrap(longer)))).isFalse();
    assertThat(isGenuine(new MemberCertificate(good.id(), Bytes.EMPTY))).isFalse();
    assertThat(isGenuine(good)).isTrue();
  }

  @Test
  void aCertificateEnds() {
    MemberCertificate good = issued(authority, "m2");
    Moment late = at(CertificateAuthority.VALIDITY.plusSeconds(1));
    Moment early = at(Duration.ofHours(-2));
    assertThat(certificates.isGenuine(SPEAKER, good, early)).isFalse();
    assertThat(certificates.isGenuine(SPEAKER, good, NOW)).isTrue();
    assertThat(certificates.isGenuine(SPEAKER, issued(authority, "m3"), late)).isFalse();
    assertThat(certificates.isGenuine(SPEAKER, good, late)).isFalse(); // Also one that is known.
    certificates.met(good.id(), () -> x509("m2"));
    assertThat(certificates.of(good.id(), NOW)).isNotNull();
    assertThat(certificates.of(good.id(), late)).isNull();
    assertThat(certificates.of(SELF, late)).isNull();
  }

  private X509Certificate x509(String principal) {
    return authority.issueMember(principal, START).certificate();
  }

  @Test
  void showsItsOwnAndThoseThatItHasMet() {
    assertThat(certificates.of(SELF, NOW)).isEqualTo(of(SELF, own.certificate()));
    NodeId second = NodeNames.member("m2");
    assertThat(certificates.of(second, NOW)).isNull();
    certificates.met(second, () -> null);
    certificates.met(second, () -> x509("m3")); // Of another.
    certificates.met(second, () -> authority.issueClient("m2", START).certificate());
    assertThat(certificates.of(second, NOW)).isNull();
    X509Certificate shown = x509("m2");
    certificates.met(second, () -> shown);
    assertThat(certificates.of(second, NOW)).isEqualTo(of(second, shown));
  }

  @Test
  void whoShowsManyThatAreNotKnownHasToWait() {
    MemberCertificate known = issued(authority, "m2");
    assertThat(isGenuine(known)).isTrue();
    NodeId liar = NodeNames.member("liar");
    MemberCertificate forged = new MemberCertificate(known.id(), Bytes.wrap(new byte[600]));
    for (int i = 0; i < CheckBudget.AT_ONCE; i++) {
      assertThat(certificates.isGenuine(liar, forged, NOW)).isFalse();
    }
    MemberCertificate good = issued(authority, "m3");
    assertThat(certificates.isGenuine(liar, good, NOW)).isFalse(); // It is not even looked at.
    assertThat(certificates.isGenuine(liar, known, NOW)).isTrue(); // That costs nothing.
    assertThat(certificates.isGenuine(SPEAKER, good, NOW)).isTrue(); // Others do not pay for it.
    MemberCertificate next = issued(authority, "m4");
    Moment later = at(Duration.ofMinutes(1).plusSeconds(1));
    assertThat(certificates.isGenuine(liar, next, later)).isTrue();
    assertThat(certificates.isGenuine(liar, issued(authority, "m5"), later)).isFalse();
  }

  /** Its neighbours show the old one until that ends. */
  @Test
  void twoCertificatesOfOneMemberAreCheckedOnceEach() {
    MemberCertificate before = issued(authority, "m2");
    MemberCertificate renewed = issued(authority, "m2");
    assertThat(renewed).isNotEqualTo(before);
    for (int i = 0; i < CheckBudget.AT_ONCE; i++) {
      assertThat(isGenuine(before)).isTrue();
      assertThat(isGenuine(renewed)).isTrue();
    }
  }

  @Test
  void whatIsTooLongIsNotLookedAt() {
    byte[] huge = new byte[MemberCertificates.MAX_PROOF_BYTES + 1];
    MemberCertificate tooLong = new MemberCertificate(SELF, Bytes.wrap(huge));
    for (int i = 0; i < CheckBudget.AT_ONCE; i++) {
      assertThat(isGenuine(tooLong)).isFalse();
    }
    assertThat(isGenuine(issued(authority, "m2"))).isTrue(); // It has cost nothing.
  }

  @Test
  void theLongestNamesThereAreFit() {
    String longest = "x".repeat(128);
    CertificateAuthority verbose = authority(longest);
    present = certification(verbose);
    MemberCertificate certificate = issued(verbose, longest);
    assertThat(certificate.proof().size()).isLessThanOrEqualTo(MemberCertificates.MAX_PROOF_BYTES);
    assertThat(isGenuine(certificate)).isTrue();
  }

  @Test
  void aRenewalIsShownAndForgetsNobodyElse() {
    NodeId second = NodeNames.member("m2");
    certificates.met(second, () -> x509("m2"));
    assertThat(certificates.of(SELF, NOW)).isEqualTo(of(SELF, own.certificate()));
    X509Certificate renewed = x509("m0");
    present = new Certification(certification(authority).authorities(), renewed);
    assertThat(certificates.of(SELF, NOW)).isEqualTo(of(SELF, renewed));
    assertThat(certificates.of(second, NOW)).isNotNull();
  }

  @Test
  void whatAFormerAuthorityHasIssuedCountsNoMore() {
    MemberCertificate old = issued(authority, "m2");
    assertThat(isGenuine(old)).isTrue();
    certificates.met(old.id(), () -> x509("m2"));
    CertificateAuthority next = authority(RING);
    present = certification(authority, next);
    assertThat(certificates.of(old.id(), NOW)).isNotNull(); // A neighbour stays one.
    assertThat(isGenuine(old)).isTrue();
    assertThat(isGenuine(issued(next, "m3"))).isTrue();
    present = certification(next);
    assertThat(isGenuine(old)).isFalse();
    assertThat(certificates.of(old.id(), NOW)).isNull();
  }

  @Test
  void withKeysThatMembersShareNothingIsProven() {
    present = null;
    assertThat(certificates.orChannels().areProofs()).isFalse();
    assertThat(isGenuine(issued(authority, "m2"))).isFalse();
    assertThat(certificates.of(SELF, NOW)).isNull();
  }
}
