package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: FREE, the lock is yours here.
 *
 * @param number the request that was known when the end of the grant was set: the client counts the
 *     lease from when it sent that one
 */
public record Free(String lock, long contender, long time, long number) implements Message {
  public Free {
    LockNames.check(lock);
    RankClock.check(time);
    checkArgument(number > 0, "requests are numbered from 1, not %s", number);
  }
}
