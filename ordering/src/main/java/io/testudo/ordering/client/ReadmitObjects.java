package io.testudo.ordering.client;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;

/**
 * Tells a server that lost its memory which objects are new, and brings it up to date with all
 * others. It can be repeated at any time, and goes on where it was cut off.
 *
 * @param timeoutNanos how long a step may take
 */
public record ReadmitObjects(ServerId server, long timeoutNanos) implements Call<Readmitted> {
  /** {@inheritDoc} What was done stays done, and does no harm. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
