package io.testudo.mutex.dht.wire;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Message;

/**
 * A message from one node of a ring to another, with the addresses of the nodes that it speaks of.
 *
 * @param to whom it is for; {@link #WHOEVER} for the member at the other end of the connection
 * @param from who says it
 */
public record RingLetter(
    NodeId to, NodeId from, ImmutableList<NodeAddress> addresses, Message payload)
    implements Message, Guarded {
  /** Before the id of a member is known, its address is. */
  public static final NodeId WHOEVER = new NodeId(0);

  private SpeakersNeed need() {
    return RingTypes.needOf(payload);
  }

  @Override
  public Right right() {
    return need().right();
  }

  @Override
  public String name() {
    return need().lock();
  }

  @Override
  public boolean isAllowed(Rights rights, String principal) {
    return need().isMet(rights, principal);
  }
}
