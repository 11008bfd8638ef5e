package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.quorum.protocol.Moment;
import java.util.Map;
import java.util.TreeMap;

/**
 * Members that have themselves shown to this node that they are there, and when. Who counts votes
 * believes nobody who claims the space of one of them, whether that one answers just now or not.
 */
final class Sightings {
  /** Of more the earliest in the space goes; nothing but a lie of others can come of it. */
  private static final int MAX_SEEN = 100_000;

  private final long lastsNanos;
  private final TreeMap<NodeId, Long> seen = new TreeMap<>();

  Sightings(long lastsNanos) {
    this.lastsNanos = lastsNanos;
  }

  void note(NodeId member, Moment now) {
    seen.put(member, now.nanos());
    if (seen.size() > MAX_SEEN) {
      seen.pollFirstEntry();
    }
  }

  /** Those that were seen lately. */
  ImmutableList<NodeId> lately(Moment now) {
    return seen.entrySet().stream()
        .filter(one -> now.nanos() - one.getValue() < lastsNanos)
        .map(Map.Entry::getKey)
        .collect(ImmutableList.toImmutableList());
  }

  /** Whether one was seen lately within a claim of another. */
  boolean anyIn(ZoneClaim claim, Moment now) {
    Zone zone = claim.voting();
    long firstBits = zone.first();
    boolean isWrapped = Long.compareUnsigned(firstBits, zone.last()) > 0;
    return anyBetween(firstBits, isWrapped ? -1 : zone.last(), claim, now)
        || (isWrapped && anyBetween(0, zone.last(), claim, now));
  }

  /** As a rule there is one, the member itself: views of a part would cost more than all else. */
  private boolean anyBetween(long firstBits, long lastBits, ZoneClaim claim, Moment now) {
    Map.Entry<NodeId, Long> one = seen.ceilingEntry(new NodeId(firstBits));
    while (one != null && Long.compareUnsigned(one.getKey().bits(), lastBits) <= 0) {
      if (now.nanos() - one.getValue() < lastsNanos && claim.reachesOver(one.getKey())) {
        return true;
      }
      one = seen.higherEntry(one.getKey());
    }
    return false;
  }
}
