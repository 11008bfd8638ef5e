package io.testudo.mutex.dht.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Routing in the manner of Pastry: each hop shares one digit more with the key. The owner of a key
 * is the member that is nearest to it, of two that are equally near the one below.
 */
final class PrefixRouting implements RoutingTable {
  private final NodeId self;

  /** By the number of shared digits, and the digit that follows. */
  private final @Nullable NodeId[][] table =
      new @Nullable NodeId[NodeId.DIGITS][NodeId.DIGIT_VALUES];

  PrefixRouting(NodeId self) {
    this.self = self;
  }

  @Override
  public void meet(NodeId node) {
    int row = NodeId.sharedDigits(self.bits(), node.bits());
    int column = NodeId.digit(node.bits(), row);
    if (table[row][column] == null) {
      table[row][column] = node;
    }
  }

  @Override
  public @Nullable Long forget(NodeId node) {
    int row = NodeId.sharedDigits(self.bits(), node.bits());
    int column = NodeId.digit(node.bits(), row);
    if (!node.equals(table[row][column])) {
      return null;
    }
    table[row][column] = null;
    return node.bits(); // Whoever owns it now shares as many digits, as a rule.
  }

  @Override
  public @Nullable NodeId nextHop(long key, LeafSet leaves, Predicate<NodeId> avoided) {
    if (leaves.covers(key)) {
      return nearest(key, leaves.all(), avoided);
    }
    int row = NodeId.sharedDigits(self.bits(), key);
    NodeId entry = table[row][NodeId.digit(key, row)];
    if (entry != null && !avoided.test(entry)) {
      return entry;
    }
    // Any other that is no further in digits and nearer in numbers: that ends, too.
    List<NodeId> others = new ArrayList<>();
    Consumer<NodeId> sift =
        node -> {
          if (NodeId.sharedDigits(node.bits(), key) >= row) {
            others.add(node);
          }
        };
    leaves.all().forEach(sift);
    forEach(sift);
    NodeId near = nearest(key, others, avoided);
    return near != null ? near : nearest(key, leaves.all(), avoided);
  }

  private @Nullable NodeId nearest(long key, List<NodeId> among, Predicate<NodeId> avoided) {
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
  public Zone zone(LeafSet leaves) {
    NodeId below = leaves.previous();
    NodeId above = leaves.next();
    if (below == null || above == null) {
      return Zone.ALL;
    }
    // Half of the way to either side; the key in the middle belongs to the one below it.
    long toBelow = (NodeId.clockwise(below.bits(), self.bits()) - 1) >>> 1;
    long toAbove = NodeId.clockwise(self.bits(), above.bits()) >>> 1;
    return new Zone(self.bits() - toBelow, self.bits() + toAbove);
  }

  @Override
  public void forEach(Consumer<NodeId> consumer) {
    for (@Nullable NodeId[] row : table) {
      for (NodeId node : row) {
        if (node != null) {
          consumer.accept(node);
        }
      }
    }
  }
}
