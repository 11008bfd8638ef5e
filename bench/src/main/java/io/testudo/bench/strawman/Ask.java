package io.testudo.bench.strawman;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;

/**
 * Client to server: ASK, grant me the lock, or let me keep it.
 *
 * @param number 1 for the first request of an attempt, one more for each renewal
 * @param leaseNanos how long the grant is to last, from this server's receipt
 */
public record Ask(String lock, long attempt, long number, long leaseNanos)
    implements StrawmanRequest {
  public Ask {
    LockNames.check(lock);
    checkArgument(attempt > 0, "the attempt %s is not positive", attempt);
    checkArgument(number > 0, "requests are numbered from 1, not %s", number);
    checkArgument(leaseNanos > 0, "a lease of %s ns is none", leaseNanos);
  }
}
