package io.testudo.mutex.sigma;

/**
 * Client to server: REQUEST, grant me the lock or let me wait for it.
 *
 * @param leaseNanos how long a grant is to last, from the server's receipt
 * @param number counts what this server was sent in this epoch
 */
public record Request(String lock, long contender, long time, long leaseNanos, long number)
    implements SigmaRequest {
  public Request {
    SigmaRequest.checkHead(lock, time);
    SigmaRequest.checkLease(leaseNanos, number);
  }
}
