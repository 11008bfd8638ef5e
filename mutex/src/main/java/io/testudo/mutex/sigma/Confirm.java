package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Client to server: CONFIRM, I count on this grant, want it for so much longer, and my fencing
 * token is this one. It is acknowledged by a RESPONSE that shows the token and the number.
 *
 * @param fence the token, or what it will be
 * @param leaseNanos how long the grant is to last from now
 * @param number counts what this server was sent in this epoch
 */
public record Confirm(
    String lock, long contender, long time, GrantId grant, long fence, long leaseNanos, long number)
    implements SigmaRequest {
  public Confirm {
    SigmaRequest.checkHead(lock, time);
    SigmaRequest.checkLease(leaseNanos, number);
    checkArgument(fence > 0 && fence <= MAX_TIME, "the fence %s is out of range", fence);
  }
}
