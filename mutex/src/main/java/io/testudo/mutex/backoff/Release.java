package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;

/** Client to server: RELEASE, I do not want the lock, or no longer. */
public record Release(String lock, long contender, long time) implements BackoffRequest {
  public Release {
    LockNames.check(lock);
    RankClock.check(time);
  }
}
