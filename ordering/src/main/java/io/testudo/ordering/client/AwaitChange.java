package io.testudo.ordering.client;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Waits until an object may have a version above one that this client has seen. True if more
 * servers say so than can lie, or this client has seen one; false if the time is over.
 *
 * @param known the version that was seen
 */
public record AwaitChange(String object, long known, long timeoutNanos) implements Call<Boolean> {
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
