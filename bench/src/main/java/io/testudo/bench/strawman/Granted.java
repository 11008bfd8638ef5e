package io.testudo.bench.strawman;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: GRANTED, the lock is yours here.
 *
 * @param number the request that this answers: the lease counts from when it was sent
 * @param fence the highest fencing token that this server was told of
 */
public record Granted(String lock, long attempt, long number, long fence) implements Message {
  public Granted {
    LockNames.check(lock);
    checkArgument(attempt > 0, "the attempt %s is not positive", attempt);
    checkArgument(number > 0, "requests are numbered from 1, not %s", number);
    checkArgument(fence >= 0, "the fence %s is negative", fence);
  }
}
