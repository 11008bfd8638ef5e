package io.testudo.mutex.dht.sim;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;

/** Certifies the places of the members of one simulated ring, liars among them. */
final class RingAuthority implements MemberCertificates {
  private final HashFunction seals;

  RingAuthority(Entropy entropy) {
    byte[] secret = new byte[Long.BYTES];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) entropy.nextLong();
    }
    this.seals = Hashing.hmacSha256(secret);
  }

  @Override
  public MemberCertificate of(NodeId id, Moment now) {
    return of(id);
  }

  private MemberCertificate of(NodeId id) {
    return new MemberCertificate(id, Bytes.wrap(seals.hashLong(id.bits()).asBytes()));
  }

  @Override
  public boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now) {
    return of(certificate.id()).equals(certificate);
  }

  @Override
  public boolean areProofs() {
    return true;
  }
}
