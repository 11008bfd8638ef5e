package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/** Asks for a state that contains every operation whose result was known before the call. */
public record ReadObject(String object, ObjectModel<?> model, long timeoutNanos)
    implements Call<ReadResult> {
  public ReadObject {
    ObjectLimits.checkName(object);
  }

  /** {@inheritDoc} A read changes nothing. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }

  @Override
  public String toString() {
    return "ReadObject[" + object + "]";
  }
}
