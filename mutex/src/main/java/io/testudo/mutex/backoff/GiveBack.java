package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;

/** Client to server: RELEASE, I do not want the lock, or no longer. */
public record GiveBack(String lock, long contender, long time) implements LockRequest {
  public GiveBack {
    LockNames.check(lock);
    checkArgument(time > 0, "the time %s of a rank is not positive", time);
  }
}
