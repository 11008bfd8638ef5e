package io.testudo.bench.strawman;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockNames;

/**
 * Client to server: DROP, I do not want the lock, or no longer.
 *
 * @param fence the fencing token of the holder; 0 if it never held the lock
 */
public record Drop(String lock, long attempt, long fence) implements StrawmanRequest {
  public Drop {
    LockNames.check(lock);
    checkArgument(attempt > 0, "the attempt %s is not positive", attempt);
    checkArgument(fence >= 0, "the fence %s is negative", fence);
  }
}
