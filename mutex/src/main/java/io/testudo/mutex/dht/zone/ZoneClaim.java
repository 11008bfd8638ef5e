package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;

/**
 * With which part of the space a member votes, and the proof that it is in its zone, which reaches
 * from its predecessor to itself.
 *
 * @param own certificate of the member
 * @param below certificate of its predecessor
 * @param above certificate of its successor
 * @param voting the part of the zone that it may vote with at present
 * @param version of the zone, which grows with each change
 */
public record ZoneClaim(
    MemberCertificate own,
    MemberCertificate below,
    MemberCertificate above,
    Zone voting,
    long version) {
  /** Whether the claim is well-formed: by this member, and within the zone that it names. */
  boolean isOf(NodeId from) {
    long start = below.id().bits();
    long end = own.id().bits();
    boolean isOwn = own.id().equals(from) && voting.contains(end);
    // Both ends between the neighbours, in this order: after the predecessor, up to the own id.
    return isOwn
        && start != end
        && voting.last() == end
        && Long.compareUnsigned(voting.first() - start - 1, end - start - 1) <= 0;
  }

  /** Whether the claim reaches over the place of another. */
  boolean reachesOver(NodeId other) {
    return !other.equals(own.id()) && voting.contains(other.bits());
  }

  double share() {
    return voting.share();
  }
}
