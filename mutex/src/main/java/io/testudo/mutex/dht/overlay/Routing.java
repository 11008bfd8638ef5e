package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which members one node knows, and whom it hands a message to that is on its way to a key. */
public interface Routing {
  /** There is such a member. Whether the neighbours have changed by it. */
  boolean meet(NodeId node);

  /** Whether the neighbours would change by such a member. */
  boolean wants(NodeId node);

  /** That member is gone. Whether the neighbours have changed by it. */
  boolean forget(NodeId node);

  /**
   * The next hop to the owner of a key, or null if that is this node.
   *
   * @param avoided members that are not to be used for now, though they are not gone
   */
  @Nullable NodeId nextHop(long key, Predicate<NodeId> avoided);

  /** The keys that this node answers for. */
  Zone zone();

  /** The members on either side, of which each watches whether the other lives. */
  ImmutableList<NodeId> neighbours();

  /** Those near to this node, to repair the neighbours of others with. */
  ImmutableList<NodeId> leaves();

  /** All that it knows. */
  ImmutableList<NodeId> known();

  /** A key whose owner should be looked up to fill a gap in what is known. */
  OptionalLong nextGap();
}
