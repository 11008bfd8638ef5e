package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** The operation was applied and threw, wherever it was applied. It changed nothing. */
public final class OperationFailedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * Says why.
   *
   * @param reason the message of what was thrown
   */
  public OperationFailedException(String object, String operation, String reason) {
    super(
        "Operation %s on '%s' failed: %s".formatted(operation, object, reason),
        Outcome.DID_NOT_HAPPEN);
    this.reason = reason;
  }

  /** The message of what the operation threw. */
  public String reason() {
    return reason;
  }
}
