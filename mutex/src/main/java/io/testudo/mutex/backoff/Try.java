package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;
import java.util.Optional;

/**
 * Client to server: TRY, grant me the lock.
 *
 * @param seal on the rank
 * @param leaseNanos how long the grant is to last, from this server's receipt
 * @param number 1 for the first send of an attempt, one more for each refresh
 * @param joins whether to be told when the lock becomes free
 */
public record Try(
    String lock,
    long contender,
    long time,
    Optional<Seal> seal,
    long leaseNanos,
    long number,
    boolean joins)
    implements BackoffRequest {
  public Try {
    LockNames.check(lock);
    RankClock.check(time);
    checkArgument(leaseNanos > 0, "a lease of %s ns is none", leaseNanos);
    checkArgument(number > 0, "requests are numbered from 1, not %s", number);
  }
}
