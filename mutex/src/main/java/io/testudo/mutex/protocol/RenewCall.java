package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.Call;

/**
 * Asks to hold a lock for so much longer, from now. It fails with {@code LeaseLostException} if the
 * lease is over, and with {@code NoQuorumException} if too few servers agree; the lease then lasts
 * as long as it would have.
 */
public record RenewCall(String lock, long token, long holdNanos) implements Call<Term> {
  public RenewCall {
    LockNames.check(lock);
    checkArgument(holdNanos > 0, "a hold must be positive, not %s ns", holdNanos);
  }
}
