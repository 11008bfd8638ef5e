package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: no rank with a time above this one was granted for this lock. Written for locks whose
 * ranks are far ahead of the server's clock, so that they are no matter of all other locks.
 */
public record NameCeiling(String lock, long time) implements StateRecord {
  public NameCeiling {
    LockNames.check(lock);
    RankClock.check(time);
  }
}
