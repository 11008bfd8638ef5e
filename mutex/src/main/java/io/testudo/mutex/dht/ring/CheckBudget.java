package io.testudo.mutex.dht.ring;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Moment;
import java.util.Map;

/** How many signatures each speaker may make this node check: some at once, then one a second. */
final class CheckBudget {
  /** Three certificates are in a claim; some claims may come with new ones at once. */
  static final int AT_ONCE = 12;

  private static final long REFILL_NANOS = 1_000_000_000L;
  private static final int MAX_SPEAKERS = 32_768;

  /** Per speaker, when its budget would be full again. */
  private final Map<NodeId, Long> fullAtNanos = BoundedMap.byUse(MAX_SPEAKERS);

  /** Takes one; false if there is none. */
  boolean take(NodeId speaker, Moment now) {
    Long before = fullAtNanos.get(speaker);
    long fromNanos =
        before == null || before - now.nanos() < 0 ? now.nanos() : before; // It is full by now.
    boolean isLeft = fromNanos - now.nanos() <= (AT_ONCE - 1) * REFILL_NANOS;
    if (isLeft) {
      fullAtNanos.put(speaker, fromNanos + REFILL_NANOS);
    }
    return isLeft;
  }
}
