package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Routing in the manner of Pastry: each hop shares one digit more with the key. The owner of a key
 * is the member that is nearest to it, of two that are equally near the one below.
 */
public final class PrefixRouting implements Routing {
  private static final int MAX_GAPS = 64;

  private final NodeId self;
  private final LeafSet leafSet;

  /** By the number of shared digits, and the digit that follows. */
  private final @Nullable NodeId[][] table =
      new @Nullable NodeId[NodeId.DIGITS][NodeId.DIGIT_VALUES];

  private final Deque<Long> gaps = new ArrayDeque<>();

  public PrefixRouting(NodeId self) {
    this.self = self;
    this.leafSet = new LeafSet(self);
  }

  @Override
  public boolean meet(NodeId node) {
    if (node.equals(self)) {
      return false;
    }
    int row = NodeId.sharedDigits(self.bits(), node.bits());
    int column = NodeId.digit(node.bits(), row);
    if (table[row][column] == null) {
      table[row][column] = node;
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
    int row = NodeId.sharedDigits(self.bits(), node.bits());
    int column = NodeId.digit(node.bits(), row);
    if (node.equals(table[row][column])) {
      table[row][column] = null;
      if (gaps.size() < MAX_GAPS) {
        gaps.add(node.bits()); // Whoever owns it now shares as many digits, as a rule.
      }
    }
    return leafSet.remove(node);
  }

  @Override
  public @Nullable NodeId nextHop(long key, Predicate<NodeId> avoided) {
    if (leafSet.covers(key)) {
      return nearest(key, leafSet.all(), avoided);
    }
    int row = NodeId.sharedDigits(self.bits(), key);
    NodeId entry = table[row][NodeId.digit(key, row)];
    if (entry != null && !avoided.test(entry)) {
      return entry;
    }
    // Any other that is no further in digits and nearer in numbers: that ends, too.
    Set<NodeId> others = new LinkedHashSet<>();
    for (NodeId node : known()) {
      if (NodeId.sharedDigits(node.bits(), key) >= row) {
        others.add(node);
      }
    }
    NodeId near = nearest(key, others, avoided);
    return near != null ? near : nearest(key, leafSet.all(), avoided);
  }

  private @Nullable NodeId nearest(long key, Set<NodeId> among, Predicate<NodeId> avoided) {
    NodeId best = self;
    for (NodeId node : among) {
      if (isNearer(node, best, key) && !avoided.test(node)) {
        best = node;
      }
    }
    return best.equals(self) ? null : best;
  }

  private static boolean isNearer(NodeId one, NodeId other, long key) {
    int order =
        Long.compareUnsigned(NodeId.apart(one.bits(), key), NodeId.apart(other.bits(), key));
    // Equally near are only the two on either side of the key.
    return order != 0 ? order < 0 : one.bits() - key < 0 && other.bits() - key > 0;
  }

  @Override
  public Zone zone() {
    NodeId below = leafSet.previous();
    NodeId above = leafSet.next();
    if (below == null || above == null) {
      return Zone.ALL;
    }
    // Half of the way to either side; the key in the middle belongs to the one below it.
    long toBelow = (NodeId.clockwise(below.bits(), self.bits()) - 1) >>> 1;
    long toAbove = NodeId.clockwise(self.bits(), above.bits()) >>> 1;
    return new Zone(self.bits() - toBelow, self.bits() + toAbove);
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
    for (@Nullable NodeId[] row : table) {
      for (NodeId node : row) {
        if (node != null) {
          all.add(node);
        }
      }
    }
    return ImmutableList.copyOf(all);
  }

  @Override
  public OptionalLong nextGap() {
    return gaps.isEmpty() ? OptionalLong.empty() : OptionalLong.of(gaps.remove());
  }
}
