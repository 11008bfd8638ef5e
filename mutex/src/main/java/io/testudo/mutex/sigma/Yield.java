package io.testudo.mutex.sigma;

/**
 * Client to server: YIELD, give this grant to the earliest who waits; I wait too.
 *
 * @param grant the one that is yielded, and no other
 * @param leaseNanos how long the next grant is to last
 * @param number counts what this server was sent in this epoch
 */
public record Yield(
    String lock, long contender, long time, GrantId grant, long leaseNanos, long number)
    implements SigmaRequest {
  public Yield {
    SigmaRequest.checkHead(lock, time);
    SigmaRequest.checkLease(leaseNanos, number);
  }
}
