package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;

/**
 * Brings a server up to date with an object: has what was chosen last chosen once more, without a
 * change. The type of the object need not be known. The machine must have no other use for it.
 */
public record RestoreObject(String object, ServerId server, long timeoutNanos)
    implements Call<Boolean> {
  public RestoreObject {
    ObjectLimits.checkName(object);
  }

  /** {@inheritDoc} Nobody sees a difference. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
