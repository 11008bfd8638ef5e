package io.testudo.mutex.dht.ring;

import io.testudo.crypto.CertifiedName;
import io.testudo.crypto.TrustedAuthorities;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.netty.Certification;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Moment;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The X.509 certificates by which members of a ring show who they are, as proofs to third parties.
 * The ids of members are hashes of their principals, so a certificate says whose place it is. What
 * the ring's authority has signed is looked at once; all calls come on one loop.
 */
final class RingCertificates implements MemberCertificates {
  /** Members whose certificates are kept to show them to others; neighbours are used most. */
  private static final int MAX_SHOWN = 4_096;

  /** Certificates that were found to be genuine; those that are shown most stay. */
  private static final int MAX_GENUINE = 32_768;

  private record Certified(MemberCertificate certificate, long fromMillis, long untilMillis) {
    boolean isValid(Moment now) {
      return fromMillis <= now.wallMillis() && now.wallMillis() <= untilMillis;
    }
  }

  private final NodeId self;
  private final Supplier<@Nullable Certification> source;
  private final Map<NodeId, Certified> shown = BoundedMap.byUse(MAX_SHOWN);

  /**
   * Each by itself: a member that has renewed its certificate shows the new one while its
   * neighbours still show the old one, and neither must make the other be checked again.
   */
  private final Map<MemberCertificate, Certified> genuine = BoundedMap.byUse(MAX_GENUINE);

  private final CheckBudget budget = new CheckBudget();
  private @Nullable Certification present;

  /**
   * None yet.
   *
   * @param self the member that this is; a client has no certificate that counts here
   * @param source of what this node shows and takes, which may be replaced
   */
  RingCertificates(NodeId self, Supplier<@Nullable Certification> source) {
    this.self = self;
    this.source = source;
  }

  /** With keys that members share none could prove to others who it is. */
  MemberCertificates orChannels() {
    return source.get() == null ? MemberCertificates.ofChannels() : this;
  }

  /**
   * What authorities have vouched for that are gone counts no more; all else stays, or a renewal
   * would cost this member its neighbours, and so its vote, for some time.
   */
  private @Nullable Certification present() {
    Certification now = source.get();
    if (!Objects.equals(now, present)) {
      shown.remove(self);
      if (now == null || present == null || !now.authorities().include(present.authorities())) {
        shown.clear();
        genuine.clear();
      }
      present = now;
    }
    return now;
  }

  /** A member has said something over a connection on which it has shown a certificate. */
  void met(NodeId member, Supplier<@Nullable X509Certificate> certificate) {
    if (present() != null && !shown.containsKey(member)) {
      keep(member, certificate.get());
    }
  }

  private void keep(NodeId member, @Nullable X509Certificate certificate) {
    Certification now = present();
    if (certificate == null || now == null) {
      return;
    }
    try {
      Certified read = read(certificate, now.authorities());
      if (read.certificate().id().equals(member)) {
        shown.put(member, read);
      }
    } catch (CertificateException e) {
      // A client's: it has no place.
    }
  }

  private static Certified read(X509Certificate certificate, TrustedAuthorities authorities)
      throws CertificateException {
    String principal = CertifiedName.requireMember(certificate, authorities.cluster());
    return new Certified(
        new MemberCertificate(NodeNames.member(principal), Bytes.wrap(certificate.getEncoded())),
        certificate.getNotBefore().toInstant().toEpochMilli(),
        certificate.getNotAfter().toInstant().toEpochMilli());
  }

  @Override
  public @Nullable MemberCertificate of(NodeId id, Moment now) {
    Certification present = present();
    if (id.equals(self) && present != null && !shown.containsKey(id)) {
      keep(id, present.own());
    }
    Certified found = shown.get(id);
    if (found == null) {
      return null;
    }
    if (!found.isValid(now)) {
      shown.remove(id); // It may have another by now.
      return null;
    }
    return found.certificate();
  }

  @Override
  public boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now) {
    Certification present = present();
    Certified known = genuine.get(certificate);
    if (known != null) {
      return known.isValid(now);
    }
    if (present == null
        || certificate.proof().size() > MAX_PROOF_BYTES
        || !budget.take(speaker, now)) {
      return false;
    }
    try {
      X509Certificate issued =
          present
              .authorities()
              .memberIn(certificate.proof().toByteArray(), Instant.ofEpochMilli(now.wallMillis()));
      Certified read = read(issued, present.authorities());
      boolean isOfThatPlace = read.certificate().equals(certificate);
      if (isOfThatPlace) {
        genuine.put(read.certificate(), read);
      }
      return isOfThatPlace;
    } catch (CertificateException e) {
      return false;
    }
  }

  @Override
  public boolean areProofs() {
    return true;
  }
}
