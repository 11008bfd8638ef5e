package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.quorum.protocol.Moment;
import java.util.Map;
import java.util.NavigableMap;
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

  /** Whether one was seen lately within a claim of another. */
  boolean anyIn(ZoneClaim claim, Moment now) {
    Zone zone = claim.voting();
    NodeId first = new NodeId(zone.first());
    NodeId last = new NodeId(zone.last());
    if (first.compareTo(last) <= 0) {
      return anyOf(seen.subMap(first, true, last, true), claim, now);
    }
    return anyOf(seen.tailMap(first, true), claim, now)
        || anyOf(seen.headMap(last, true), claim, now);
  }

  private boolean anyOf(NavigableMap<NodeId, Long> part, ZoneClaim claim, Moment now) {
    for (Map.Entry<NodeId, Long> one : part.entrySet()) {
      if (now.nanos() - one.getValue() < lastsNanos && claim.reachesOver(one.getKey())) {
        return true;
      }
    }
    return false;
  }
}
