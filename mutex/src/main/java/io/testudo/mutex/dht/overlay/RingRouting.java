package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Routing in the manner of Chord: each hop is the last one known before the key, at half of the
 * remaining way as a rule. The owner of a key is the first member at or after it.
 */
public final class RingRouting implements Routing {
  private static final int MAX_GAPS = 64;

  private final NodeId self;

  /** The successors, of which Chord keeps several, and as many predecessors. */
  private final LeafSet leafSet;

  /** Of the members 2^k to 2^(k+1) further, the first that is known. */
  private final @Nullable NodeId[] fingers = new @Nullable NodeId[Long.SIZE];

  private final Deque<Long> gaps = new ArrayDeque<>();

  public RingRouting(NodeId self) {
    this.self = self;
    this.leafSet = new LeafSet(self);
  }

  private int fingerOf(NodeId node) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(ahead(node.bits()));
  }

  private long ahead(long place) {
    return NodeId.clockwise(self.bits(), place);
  }

  @Override
  public boolean meet(NodeId node) {
    if (node.equals(self)) {
      return false;
    }
    int finger = fingerOf(node);
    NodeId present = fingers[finger];
    if (present == null || Long.compareUnsigned(ahead(node.bits()), ahead(present.bits())) < 0) {
      fingers[finger] = node;
    }
    return leafSet.add(node);
  }

  @Override
  public boolean wants(NodeId node) {
    return leafSet.wants(node);
  }

  @Override
  public boolean forget(NodeId node) {
    if (node.equals(self)) {
      return false;
    }
    int finger = fingerOf(node);
    if (node.equals(fingers[finger])) {
      fingers[finger] = null;
      if (gaps.size() < MAX_GAPS) {
        gaps.add(self.bits() + (1L << finger));
      }
    }
    return leafSet.remove(node);
  }

  @Override
  public @Nullable NodeId nextHop(long key, Predicate<NodeId> avoided) {
    if (leafSet.covers(key)) {
      return firstFrom(key, avoided);
    }
    long way = ahead(key);
    NodeId best = null;
    for (NodeId node : known()) {
      long distance = ahead(node.bits());
      boolean isOnTheWay = Long.compareUnsigned(distance, way) <= 0;
      if (isOnTheWay
          && !avoided.test(node)
          && (best == null || Long.compareUnsigned(distance, ahead(best.bits())) > 0)) {
        best = node;
      }
    }
    return best != null ? best : firstFrom(key, avoided);
  }

  /**
   * The owner of a key among those near: also one below this node, of whom the one that sent the
   * message here did not know.
   */
  private @Nullable NodeId firstFrom(long key, Predicate<NodeId> avoided) {
    NodeId first = self;
    for (NodeId node : leafSet.all()) {
      long distance = NodeId.clockwise(key, node.bits());
      boolean isBefore = Long.compareUnsigned(distance, NodeId.clockwise(key, first.bits())) < 0;
      if (isBefore && !avoided.test(node)) {
        first = node;
      }
    }
    return first.equals(self) ? null : first;
  }

  @Override
  public Zone zone() {
    NodeId below = leafSet.previous();
    return below == null ? Zone.ALL : new Zone(below.bits() + 1, self.bits());
  }

  @Override
  public ImmutableList<NodeId> neighbours() {
    return leafSet.nearest();
  }

  @Override
  public ImmutableList<NodeId> leaves() {
    return ImmutableList.copyOf(leafSet.all());
  }

  @Override
  public ImmutableList<NodeId> known() {
    Set<NodeId> all = leafSet.all();
    for (NodeId node : fingers) {
      if (node != null) {
        all.add(node);
      }
    }
    return ImmutableList.copyOf(all);
  }

  @Override
  public OptionalLong nextGap() {
    return gaps.isEmpty() ? OptionalLong.empty() : OptionalLong.of(gaps.remove());
  }
}
