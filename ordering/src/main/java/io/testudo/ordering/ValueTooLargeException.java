package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** An argument, a result or a state would be larger than {@link ObjectLimits} allow. */
public final class ValueTooLargeException extends TestudoException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is too large.
   *
   * @param what such as {@code the argument of put}
   */
  public ValueTooLargeException(String what, int maxBytes) {
    this("The value is too large: %s has more than %s bytes".formatted(what, maxBytes));
  }

  /** With the words of the client that found it so. */
  public ValueTooLargeException(String problem) {
    super(problem, Outcome.DID_NOT_HAPPEN, "make it smaller");
  }
}
