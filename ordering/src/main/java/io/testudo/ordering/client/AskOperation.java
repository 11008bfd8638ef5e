package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.log.OpId;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Asks what came of an operation. One of this client that is still in progress is waited for;
 * otherwise the answer is what a state says that contains everything done before the call.
 */
public record AskOperation(String object, ObjectModel<?> model, OpId id, long timeoutNanos)
    implements Call<OperationFate> {
  public AskOperation {
    ObjectLimits.checkName(object);
  }

  /** {@inheritDoc} The operation that it asks about may have happened, whatever became of this. */
  @Override
  public Outcome whenTooLate() {
    return Outcome.UNKNOWN;
  }

  @Override
  public String toString() {
    return "AskOperation[" + object + ", " + id + "]";
  }
}
