package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Moment;
import java.util.Map;

/** Members that did not answer in time of late: no request waits for them again so soon. */
final class SilentMembers {
  private final long lastsNanos;
  private final Map<NodeId, Long> silent = BoundedMap.byAge(ZoneTally.MAX_MEMBERS);

  SilentMembers(long lastsNanos) {
    this.lastsNanos = lastsNanos;
  }

  void note(NodeId member, Moment now) {
    silent.put(member, now.nanos());
  }

  void heard(NodeId member) {
    silent.remove(member);
  }

  boolean has(NodeId member, Moment now) {
    Long since = silent.get(member);
    return since != null && now.nanos() - since < lastsNanos;
  }
}
