package io.testudo.mutex.dht.overlay;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Routing in the manner of Chord: each hop is the last one known before the key, at half of the
 * remaining way as a rule. The owner of a key is the first member at or after it. The leaves are
 * the successors, of which Chord keeps several, and as many predecessors.
 */
final class RingRouting implements RoutingTable {
  private final NodeId self;

  /** Of the members 2^k to 2^(k+1) further, the first that is known. */
  private final @Nullable NodeId[] fingers = new @Nullable NodeId[Long.SIZE];

  RingRouting(NodeId self) {
    this.self = self;
  }

  private int fingerOf(NodeId node) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(ahead(node.bits()));
  }

  private long ahead(long place) {
    return NodeId.clockwise(self.bits(), place);
  }

  @Override
  public void meet(NodeId node) {
    int finger = fingerOf(node);
    NodeId present = fingers[finger];
    if (present == null || Long.compareUnsigned(ahead(node.bits()), ahead(present.bits())) < 0) {
      fingers[finger] = node;
    }
  }

  @Override
  public @Nullable Long forget(NodeId node) {
    int finger = fingerOf(node);
    if (!node.equals(fingers[finger])) {
      return null;
    }
    fingers[finger] = null;
    return self.bits() + (1L << finger);
  }

  @Override
  public @Nullable NodeId nextHop(long key, LeafSet leaves, Predicate<NodeId> avoided) {
    if (leaves.covers(key)) {
      return firstFrom(key, leaves, avoided);
    }
    NodeId best = null;
    for (NodeId node : leaves.all()) {
      best = further(best, node, key, avoided);
    }
    for (NodeId node : fingers) {
      if (node != null) {
        best = further(best, node, key, avoided);
      }
    }
    return best != null ? best : firstFrom(key, leaves, avoided);
  }

  /** The one of two that is nearer to the key from below. */
  private @Nullable NodeId further(
      @Nullable NodeId best, NodeId node, long key, Predicate<NodeId> avoided) {
    long distance = ahead(node.bits());
    boolean isOnTheWay = Long.compareUnsigned(distance, ahead(key)) <= 0;
    boolean isFurther = best == null || Long.compareUnsigned(distance, ahead(best.bits())) > 0;
    return isOnTheWay && isFurther && !avoided.test(node) ? node : best;
  }

  /**
   * The owner of a key among those near: also one below this node, of whom the one that sent the
   * message here did not know.
   */
  private @Nullable NodeId firstFrom(long key, LeafSet leaves, Predicate<NodeId> avoided) {
    NodeId first = self;
    for (NodeId node : leaves.all()) {
      long distance = NodeId.clockwise(key, node.bits());
      boolean isBefore = Long.compareUnsigned(distance, NodeId.clockwise(key, first.bits())) < 0;
      if (isBefore && !avoided.test(node)) {
        first = node;
      }
    }
    return first.equals(self) ? null : first;
  }

  @Override
  public Zone zone(LeafSet leaves) {
    NodeId below = leaves.previous();
    return below == null ? Zone.ALL : new Zone(below.bits() + 1, self.bits());
  }

  @Override
  public void forEach(Consumer<NodeId> consumer) {
    for (NodeId node : fingers) {
      if (node != null) {
        consumer.accept(node);
      }
    }
  }
}
