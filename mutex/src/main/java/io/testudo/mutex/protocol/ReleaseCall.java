package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Call;

/**
 * Gives a lock back; answered at once. The answer says whether the lock was still held: if not, it
 * was lost before.
 */
public record ReleaseCall(String lock, long token) implements Call<Boolean> {
  public ReleaseCall {
    LockNames.check(lock);
  }
}
