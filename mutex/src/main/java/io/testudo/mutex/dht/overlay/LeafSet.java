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

  /** All of them, each once: asked for far more often than it changes. */
  private ImmutableList<NodeId> all = ImmutableList.of();

  LeafSet(NodeId self) {
    this.self = self.bits();
  }

  /** Whether anything has changed. */
  boolean add(NodeId node) {
    boolean above = insert(up, node, true);
    boolean below = insert(down, node, false);
    if (above || below) {
      list();
    }
    return above || below;
  }

  private boolean insert(List<NodeId> side, NodeId node, boolean isUp) {
    int place = placeOf(side, node, isUp);
    if (place < 0) {
      return false;
    }
    side.add(place, node);
    if (side.size() > PER_SIDE) {
      side.remove(PER_SIDE);
    }
    return true;
  }

  private void list() {
    Set<NodeId> each = new LinkedHashSet<>(up);
    each.addAll(down);
    all = ImmutableList.copyOf(each);
  }

  private long distance(NodeId node, boolean isUp) {
    return isUp ? NodeId.clockwise(self, node.bits()) : NodeId.clockwise(node.bits(), self);
  }

  /** Where it belongs on one side; -1 if it is there already or too far away. */
  private int placeOf(List<NodeId> side, NodeId node, boolean isUp) {
    long distance = distance(node, isUp);
    int place = side.size();
    while (place > 0) { // From the far end: most that are heard of are beyond it.
      long others = distance(side.get(place - 1), isUp);
      if (others == distance) {
        return -1;
      }
      if (Long.compareUnsigned(others, distance) < 0) {
        break;
      }
      place--;
    }
    return place == PER_SIDE ? -1 : place;
  }

  /** Whether it would be one of the leaves, and is not yet. */
  boolean wants(NodeId node) {
    return node.bits() != self && (placeOf(up, node, true) >= 0 || placeOf(down, node, false) >= 0);
  }

  /** Whether anything has changed. What one side loses, it may get from the other. */
  boolean remove(NodeId node) {
    boolean above = up.remove(node);
    boolean below = down.remove(node);
    if (above || below) {
      list();
      all.forEach(this::add);
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
  ImmutableList<NodeId> all() {
    return all;
  }

  /** The nearest on either side; null if there is nobody. */
  @Nullable Neighbours neighbours() {
    NodeId above = next();
    NodeId below = previous();
    return above == null || below == null ? null : new Neighbours(below, above);
  }

  /** The nearest on either side, each once. */
  ImmutableList<NodeId> nearest() {
    Neighbours both = neighbours();
    if (both == null) {
      return ImmutableList.of();
    }
    return both.above().equals(both.below())
        ? ImmutableList.of(both.above())
        : ImmutableList.of(both.above(), both.below());
  }
}
