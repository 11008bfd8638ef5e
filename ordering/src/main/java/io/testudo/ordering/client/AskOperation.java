package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.log.OpId;
import io.testudo.quorum.Access;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;
import java.util.Optional;

/**
 * Asks what came of an operation. One of this client that is still in progress is waited for;
 * otherwise the answer is what a state says that contains everything done before the call.
 *
 * @param access whom to ask first; as is usual if left open
 */
public record AskOperation(
    String object, ObjectModel<?> model, OpId id, long timeoutNanos, Optional<Access> access)
    implements Call<OperationFate> {
  public AskOperation {
    ObjectLimits.checkName(object);
  }

  /** Asks whom it is usual to ask first. */
  public AskOperation(String object, ObjectModel<?> model, OpId id, long timeoutNanos) {
    this(object, model, id, timeoutNanos, Optional.empty());
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
