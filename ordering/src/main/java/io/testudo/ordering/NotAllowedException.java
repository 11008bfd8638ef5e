package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.Right;

/**
 * This client lacks a right to the object. So many servers say so that one of them is correct, or
 * the client itself knows that it has no key.
 */
public final class NotAllowedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final Right right;

  public NotAllowedException(String object, Right right, Outcome outcome) {
    super(
        "This client lacks the right to %s object '%s'".formatted(right.rightName(), object),
        outcome);
    this.right = right;
  }

  /** The right that it lacks. */
  public Right right() {
    return right;
  }
}
