package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Call;
import java.util.Optional;

/**
 * Has an operation done. If the call is given up or the time is over, it may still happen.
 *
 * @param timeoutNanos after which the outcome is unknown
 * @param access whom to ask first; as is usual if left open
 */
public record SubmitOperation(
    String object,
    ObjectModel<?> model,
    Bytes operation,
    long timeoutNanos,
    Optional<Access> access)
    implements Call<OperationResult> {
  public SubmitOperation {
    ObjectLimits.checkName(object);
  }

  /** Asks whom it is usual to ask first. */
  public SubmitOperation(String object, ObjectModel<?> model, Bytes operation, long timeoutNanos) {
    this(object, model, operation, timeoutNanos, Optional.empty());
  }

  @Override
  public String toString() {
    return "SubmitOperation[" + object + ", " + operation.size() + " bytes]";
  }
}
