package io.testudo.mutex;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** The time to wait for a lock was over before it was free. Enough servers did answer. */
public final class NotAcquiredException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public NotAcquiredException(String lock) {
    super("The lock '%s' was not free in time".formatted(lock), Outcome.DID_NOT_HAPPEN);
  }
}
