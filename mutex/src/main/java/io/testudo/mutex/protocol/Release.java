package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Call;

/**
 * Gives a lock back; answered at once. The answer says whether the lock was still held: if not, it
 * was lost before.
 */
public record Release(String lock, long token) implements Call<Boolean> {
  public Release {
    LockNames.check(lock);
  }
}
