package io.testudo.mutex;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** Servers refuse what was asked of them, and will refuse it again. */
public final class LockRefusedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public LockRefusedException(String lock, String why) {
    super(
        "The servers refuse the lock '%s': %s".formatted(lock, why),
        Outcome.DID_NOT_HAPPEN,
        "ask for something else");
  }
}
