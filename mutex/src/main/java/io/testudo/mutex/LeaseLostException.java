package io.testudo.mutex;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** A lease is over: its time has passed, or it was released. */
public final class LeaseLostException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public LeaseLostException(String lock) {
    super(
        "The lease on the lock '%s' is over".formatted(lock),
        Outcome.DID_NOT_HAPPEN,
        "acquire the lock again");
  }
}
