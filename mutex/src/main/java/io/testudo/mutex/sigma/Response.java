package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: RESPONSE, whom I have granted the lock.
 *
 * @param time of the receiver's epoch
 * @param yours whether the owner is the receiver with this epoch
 * @param grant names this state of the owner
 * @param position of the receiver in the queue, from 1; 0 if it is not there
 * @param waitNanos after how long to ask again if nothing was heard (informed backoff); if it is
 *     yours: how long the message with whose lease the grant was made had waited, by which that
 *     lease lasts longer
 * @param echo the receiver's newest message that this answers
 * @param leased if it is yours: the message with whose lease the grant was made or prolonged
 * @param fence if it is yours: no token below it may be used, and it is kept for you
 */
public record Response(
    String lock,
    long contender,
    long time,
    Owner owner,
    boolean yours,
    GrantId grant,
    long position,
    long waitNanos,
    long echo,
    long leased,
    long fence)
    implements Message {
  public Response {
    SigmaRequest.checkHead(lock, time);
    checkArgument(!yours || owner.time() == time, "a grant to %s names %s", time, owner);
    checkArgument(!yours || fence > 0, "a grant has no fence");
    checkArgument(position >= 0 && waitNanos >= 0, "a wait is negative");
  }
}
