package io.testudo.mutex.dht.overlay;

import io.testudo.quorum.protocol.Message;
import org.jspecify.annotations.Nullable;

/** The upcalls of an {@link Overlay}. */
public interface OverlayListener {
  /**
   * A message passes through this node on its way to a key; at its sender, if that is a member, it
   * does so first of all.
   *
   * @param previous from whom it came; null at its sender
   * @param next whom it goes to
   * @return whether it is to go on
   */
  boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next);

  /**
   * A message takes this way, too: the member that it was sent to before gave no receipt, and may
   * have handed it on all the same. A node beside the ring hears of each way that one takes.
   */
  default void tookWay(long key, Message payload, NodeId next) {}

  /** A message has arrived at the owner of its key, this node. */
  void deliver(long key, Message payload);

  /** The neighbours have changed, and with them the keys that this node owns. */
  void neighboursChanged();
}
