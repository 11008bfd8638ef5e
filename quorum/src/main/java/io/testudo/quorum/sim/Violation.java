package io.testudo.quorum.sim;

/** A checker found that a promise was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Violation(String message) {
    super(message);
  }

  public Violation(String message, Throwable cause) {
    super(message, cause);
  }
}
