package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Call;

/**
 * Has an operation done. If the call is given up or the time is over, it may still happen.
 *
 * @param timeoutNanos after which the outcome is unknown
 */
public record SubmitOperation(
    String object, ObjectModel<?> model, Bytes operation, long timeoutNanos)
    implements Call<OperationResult> {
  public SubmitOperation {
    ObjectLimits.checkName(object);
  }

  @Override
  public String toString() {
    return "SubmitOperation[" + object + ", " + operation.size() + " bytes]";
  }
}
