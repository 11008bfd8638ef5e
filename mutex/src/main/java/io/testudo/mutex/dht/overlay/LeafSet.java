package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members next to one place, so many on either side. In a small ring one is on both sides. */
final class LeafSet {
  /** Pastry's usual leaf set has 16. */
  static final int PER_SIDE = 8;

  private final long self;
  private final LeafSide up;
  private final LeafSide down;

  /** All of them, each once, from when they are asked for until they change. */
  private @Nullable ImmutableList<NodeId> all = ImmutableList.of();

  LeafSet(NodeId self) {
    this.self = self.bits();
    this.up = new LeafSide(this.self, true);
    this.down = new LeafSide(this.self, false);
  }

  /** Whether anything has changed. */
  boolean add(NodeId node) {
    boolean above = up.add(node);
    boolean below = down.add(node);
    if (above || below) {
      all = null;
    }
    return above || below;
  }

  /** Whether it would be one of the leaves, and is not yet. */
  boolean wants(NodeId node) {
    return node.bits() != self && (up.wants(node) || down.wants(node));
  }

  /** Whether anything has changed. What one side loses, it may get from the other. */
  boolean remove(NodeId node) {
    boolean above = up.remove(node);
    boolean below = down.remove(node);
    if (above || below) {
      all = null;
      all().forEach(this::add);
    }
    return above || below;
  }

  @Nullable NodeId next() {
    return up.nearest();
  }

  @Nullable NodeId previous() {
    return down.nearest();
  }

  /** Whether all members between the ends of the set are known, and so the owner of this key. */
  boolean covers(long key) {
    if (!up.isFull() || !down.isFull()) {
      return true;
    }
    long below = down.reach();
    long above = up.reach();
    // Where the two sides meet, the set is the whole ring.
    boolean isWhole = Long.compareUnsigned(above, -below) >= 0;
    return isWhole
        || Long.compareUnsigned(NodeId.clockwise(self, key), above) <= 0
        || Long.compareUnsigned(NodeId.clockwise(key, self), below) <= 0;
  }

  /** All of them, each once, the next ones first. */
  ImmutableList<NodeId> all() {
    ImmutableList<NodeId> listed = all;
    if (listed == null) {
      Set<NodeId> each = new LinkedHashSet<>(up.all());
      each.addAll(down.all());
      listed = ImmutableList.copyOf(each);
      all = listed;
    }
    return listed;
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
