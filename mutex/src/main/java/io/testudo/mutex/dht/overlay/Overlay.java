package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.Message;
import org.jspecify.annotations.Nullable;

/** What an application may do on a distributed hash table; {@link OverlayListener} hears back. */
public interface Overlay {
  /** The own place, which is also the address for direct answers. */
  NodeId self();

  /** Whether this node is a member: it owns keys, and messages of others pass through it. */
  boolean isMember();

  /** Sends a message to the owner of a key, over hops that see it pass. */
  void route(long key, Message payload);

  /** The same, over a first hop of one's own choice; if that is silent, over another. */
  void routeVia(NodeId first, long key, Message payload);

  /** The members on either side of this one; null if it knows none, or is no member yet. */
  @Nullable Neighbours neighbours();

  /** All members that this node knows; beside the ring those it enters through. */
  ImmutableList<NodeId> known();

  /** Whether this node answers for a key at present, as far as it knows. */
  boolean owns(long key);
}
