package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members next to one place, so many on either side. In a small ring one is on both sides. */
final class LeafSet {
  /** Pastry's usual leaf set has 16. */
  static final int PER_SIDE = 8;

  private final long self;

  /** The nearest first. */
  private final List<NodeId> up = new ArrayList<>(PER_SIDE + 1);

  private final List<NodeId> down = new ArrayList<>(PER_SIDE + 1);

  LeafSet(NodeId self) {
    this.self = self.bits();
  }

  /** Whether anything has changed. */
  boolean add(NodeId node) {
    boolean above = insert(up, node, NodeId.clockwise(self, node.bits()), true);
    boolean below = insert(down, node, NodeId.clockwise(node.bits(), self), false);
    return above || below;
  }

  private boolean insert(List<NodeId> side, NodeId node, long distance, boolean isUp) {
    int place = placeOf(side, node, distance, isUp);
    if (place < 0) {
      return false;
    }
    side.add(place, node);
    if (side.size() > PER_SIDE) {
      side.remove(PER_SIDE);
    }
    return true;
  }

  /** Where it belongs on one side; -1 if it is there already or too far away. */
  private int placeOf(List<NodeId> side, NodeId node, long distance, boolean isUp) {
    int place = 0;
    while (place < side.size()) {
      NodeId other = side.get(place);
      if (other.equals(node)) {
        return -1;
      }
      long others =
          isUp ? NodeId.clockwise(self, other.bits()) : NodeId.clockwise(other.bits(), self);
      if (Long.compareUnsigned(distance, others) < 0) {
        break;
      }
      place++;
    }
    return place == PER_SIDE ? -1 : place;
  }

  /** Whether it would be one of the leaves, and is not yet. */
  boolean wants(NodeId node) {
    return node.bits() != self
        && (placeOf(up, node, NodeId.clockwise(self, node.bits()), true) >= 0
            || placeOf(down, node, NodeId.clockwise(node.bits(), self), false) >= 0);
  }

  /** Whether anything has changed. What one side loses, it may get from the other. */
  boolean remove(NodeId node) {
    boolean above = up.remove(node);
    boolean below = down.remove(node);
    if (above || below) {
      all().forEach(this::add);
    }
    return above || below;
  }

  @Nullable NodeId next() {
    return up.isEmpty() ? null : up.get(0);
  }

  @Nullable NodeId previous() {
    return down.isEmpty() ? null : down.get(0);
  }

  /** Whether all members between the ends of the set are known, and so the owner of this key. */
  boolean covers(long key) {
    if (up.size() < PER_SIDE || down.size() < PER_SIDE) {
      return true;
    }
    long below = NodeId.clockwise(down.get(down.size() - 1).bits(), self);
    long above = NodeId.clockwise(self, up.get(up.size() - 1).bits());
    // Where the two sides meet, the set is the whole ring.
    boolean isWhole = Long.compareUnsigned(above, -below) >= 0;
    return isWhole
        || Long.compareUnsigned(NodeId.clockwise(self, key), above) <= 0
        || Long.compareUnsigned(NodeId.clockwise(key, self), below) <= 0;
  }

  /** All of them, each once, the next ones first. */
  Set<NodeId> all() {
    Set<NodeId> all = new LinkedHashSet<>(up);
    all.addAll(down);
    return all;
  }

  /** The nearest on either side, each once. */
  ImmutableList<NodeId> nearest() {
    NodeId above = next();
    NodeId below = previous();
    if (above == null || below == null) {
      return ImmutableList.of();
    }
    return above.equals(below) ? ImmutableList.of(above) : ImmutableList.of(above, below);
  }
}
