package io.testudo.ordering.client;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Waits until objects under a prefix have changed since the last call with the same number, or
 * since there were none. Empty if the time is over.
 *
 * @param watch a number that the caller gives to all of its calls; it is known until {@link
 *     EndNames}
 * @param lookNanos how often servers are asked for a list in case that a hint was lost
 */
public record AwaitNames(long watch, String prefix, long lookNanos, long timeoutNanos)
    implements Call<ImmutableList<ObjectChange>> {
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
