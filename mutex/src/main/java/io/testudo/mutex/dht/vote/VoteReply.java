package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * RESPONSE or GRANTREQ of a replica, sent directly: whom it votes for.
 *
 * @param to the request that it answers
 * @param owner the request that has its vote
 * @param holder where the lock is held by that vote, if that is known here
 * @param state names this state of the vote
 * @param echo the newest message of the receiver
 * @param leased if the vote is the receiver's: the message with whose lease it was given
 * @param waitedNanos how long that message had waited here, by which the lease lasts longer
 */
public record VoteReply(
    ReplicaName replica,
    RequestId to,
    Optional<RequestId> owner,
    Optional<NodeId> holder,
    GrantId state,
    long echo,
    long leased,
    long waitedNanos)
    implements Message {
  /** Whether the vote is the receiver's. */
  public boolean isYours() {
    return owner.isPresent() && owner.get().equals(to);
  }
}
