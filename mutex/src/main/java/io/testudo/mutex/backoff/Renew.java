package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;

/**
 * Client to server: RENEW, let me keep the lock.
 *
 * @param leaseNanos how long from this server's receipt
 * @param number counts on from the attempt's requests
 */
public record Renew(String lock, long contender, long time, long leaseNanos, long number)
    implements BackoffRequest {
  public Renew {
    LockNames.check(lock);
    RankClock.check(time);
    checkArgument(leaseNanos > 0, "a lease of %s ns is none", leaseNanos);
    checkArgument(number > 0, "requests are numbered from 1, not %s", number);
  }
}
