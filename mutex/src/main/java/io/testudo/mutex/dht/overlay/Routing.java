package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which members one node knows, and whom it hands a message to that is on its way to a key. */
public final class Routing {
  private static final int MAX_GAPS = 64;

  private final NodeId self;
  private final RoutingTable table;
  private final LeafSet leafSet;
  private final Deque<Long> gaps = new ArrayDeque<>();

  Routing(NodeId self, RoutingTable table) {
    this.self = self;
    this.table = table;
    this.leafSet = new LeafSet(self);
  }

  /** There is such a member. Whether the neighbours have changed by it. */
  public boolean meet(NodeId node) {
    if (node.equals(self)) {
      return false;
    }
    table.meet(node);
    return leafSet.add(node);
  }

  /** Whether the neighbours would change by such a member. */
  public boolean wants(NodeId node) {
    return leafSet.wants(node);
  }

  /** That member is gone. Whether the neighbours have changed by it. */
  public boolean forget(NodeId node) {
    if (node.equals(self)) {
      return false;
    }
    Long gap = table.forget(node);
    if (gap != null && gaps.size() < MAX_GAPS) {
      gaps.add(gap);
    }
    return leafSet.remove(node);
  }

  /**
   * The next hop to the owner of a key, or null if that is this node.
   *
   * @param avoided members that are not to be used for now, though they are not gone
   */
  public @Nullable NodeId nextHop(long key, Predicate<NodeId> avoided) {
    return table.nextHop(key, leafSet, avoided);
  }

  /** The keys that this node answers for. */
  public Zone zone() {
    return table.zone(leafSet);
  }

  /** The nearest member on either side; null if none is known. */
  public @Nullable Neighbours between() {
    return leafSet.neighbours();
  }

  /** The members on either side, of which each watches whether the other lives. */
  public ImmutableList<NodeId> neighbours() {
    return leafSet.nearest();
  }

  /** Those near to this node, to repair the neighbours of others with. */
  public ImmutableList<NodeId> leaves() {
    return leafSet.all();
  }

  /** All that it knows. */
  public ImmutableList<NodeId> known() {
    Set<NodeId> all = new LinkedHashSet<>(leafSet.all());
    table.forEach(all::add);
    return ImmutableList.copyOf(all);
  }

  /** A key whose owner should be looked up to fill a gap in what is known. */
  public OptionalLong nextGap() {
    return gaps.isEmpty() ? OptionalLong.empty() : OptionalLong.of(gaps.remove());
  }
}
