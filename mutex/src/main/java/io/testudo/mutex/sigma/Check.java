package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: CHECK, I have granted you the lock; do you know? Sent to the owner now and
 * then.
 *
 * @param time of the epoch that has the grant
 * @param echo the newest message of that epoch here
 * @param leased the message with whose lease the grant was made or prolonged
 * @param fence as in a RESPONSE
 */
public record Check(
    String lock, long contender, long time, GrantId grant, long echo, long leased, long fence)
    implements Message {
  public Check {
    SigmaRequest.checkHead(lock, time);
    checkArgument(fence > 0, "a grant has no fence");
  }
}
