package io.testudo.mutex.dht.overlay;

import io.testudo.quorum.protocol.BoundedMap;
import java.util.Map;

/**
 * Members that count as gone: for a while hearsay does not bring them back, only their own word.
 */
final class GoneMembers {
  private static final int MAX_KNOWN = 4_096;

  /** Hearsay of a member is ignored for so many probe periods. */
  private static final int PERIODS = 20;

  private final long lastsNanos;
  private final Map<NodeId, Long> sinceNanos = BoundedMap.byAge(MAX_KNOWN);

  GoneMembers(long probeNanos) {
    this.lastsNanos = PERIODS * probeNanos;
  }

  void add(NodeId node, long nowNanos) {
    sinceNanos.put(node, nowNanos);
  }

  /** It said something itself. */
  void remove(NodeId node) {
    sinceNanos.remove(node);
  }

  boolean contains(NodeId node, long nowNanos) {
    Long since = sinceNanos.get(node);
    return since != null && nowNanos - since < lastsNanos;
  }
}
