package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Asks for a lock. It fails with {@code NotAcquiredException} or {@code NoQuorumException} when the
 * wait is over; a cancelled one is withdrawn everywhere.
 *
 * @param holdNanos for how long the lock is wanted, from entry, unless renewed
 * @param waitNanos how long to try; 0 tries once, {@link #FOREVER} never gives up
 * @param keepNanos for how long after entry the lease is renewed without being asked; 0 for never
 * @param persistent whether to try again without backing off. One client that contends again and
 *     again may do so; several would keep each other out
 */
public record Acquire(
    String lock, long holdNanos, long waitNanos, long keepNanos, boolean persistent)
    implements Call<Held> {
  public static final long FOREVER = Long.MAX_VALUE;

  public Acquire {
    LockNames.check(lock);
    checkArgument(holdNanos > 0, "a hold must be positive, not %s ns", holdNanos);
    checkArgument(waitNanos >= 0, "a wait must not be negative, as %s ns is", waitNanos);
    checkArgument(keepNanos >= 0, "renewal for %s ns makes no sense", keepNanos);
  }

  /** {@inheritDoc} Whoever is not told of a lease has none. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }

  /** The same with another hold. */
  public Acquire withHold(long otherNanos) {
    return new Acquire(lock, otherNanos, waitNanos, keepNanos, persistent);
  }

  /** Without renewal, with backoff. */
  public static Acquire of(String lock, long holdNanos, long waitNanos) {
    return new Acquire(lock, holdNanos, waitNanos, 0, false);
  }
}
