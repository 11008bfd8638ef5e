package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/**
 * An operation was done, but its result is no longer kept: its submitter had received it, or too
 * many results of others came after it.
 */
public final class ResultExpiredException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public ResultExpiredException(String object, OperationId id) {
    super(
        "The result of operation %s on '%s' is no longer kept".formatted(id, object),
        Outcome.HAPPENED);
  }
}
