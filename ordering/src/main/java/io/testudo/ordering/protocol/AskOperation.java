package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.Call;

/**
 * Asks what came of an operation. One of this client that is still in progress is waited for;
 * otherwise the answer is what a state says that contains everything done before the call.
 */
public record AskOperation(String object, ObjectModel<?> model, OpId id, long timeoutNanos)
    implements Call<OperationFate> {
  @Override
  public String toString() {
    return "AskOperation[" + object + ", " + id + "]";
  }
}
