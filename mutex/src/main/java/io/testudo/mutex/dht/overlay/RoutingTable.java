package io.testudo.mutex.dht.overlay;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is peculiar to one way of routing: who is known far away, and who owns what. */
interface RoutingTable {
  /** There is such a member, not the node itself. */
  void meet(NodeId node);

  /**
   * That member is gone.
   *
   * @return a key whose owner would fill the gap; null if there is none
   */
  @Nullable Long forget(NodeId node);

  /** The next hop to the owner of a key, or null if that is this node. */
  @Nullable NodeId nextHop(long key, LeafSet leaves, Predicate<NodeId> avoided);

  /** The keys that this node answers for. */
  Zone zone(LeafSet leaves);

  /** All in the table; some may come twice. */
  void forEach(Consumer<NodeId> consumer);
}
