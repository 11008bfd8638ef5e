package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Asks for a state that was chosen, without ordering and without disturbing those who do. It may
 * lack operations whose results are known already, but a client never sees an older state than one
 * that it saw before.
 */
public record PeekObject(String object, ObjectModel<?> model, long timeoutNanos)
    implements Call<ReadResult> {
  public PeekObject {
    ObjectLimits.checkName(object);
  }

  /** {@inheritDoc} A read changes nothing. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }

  @Override
  public String toString() {
    return "PeekObject[" + object + "]";
  }
}
