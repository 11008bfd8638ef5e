package io.testudo.mutex;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import java.util.Map;

/** The time to wait for a lock was over before it was free. Enough servers did answer. */
public final class NotAcquiredException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public NotAcquiredException(String lock) {
    this(lock, Map.of());
  }

  /**
   * Where it was not another holder, or not only.
   *
   * @param reasons what servers said why they do not grant it, in words that follow their names
   */
  public NotAcquiredException(String lock, Map<ServerId, String> reasons) {
    super("The lock '%s' was not free in time".formatted(lock), Outcome.DID_NOT_HAPPEN, reasons);
  }
}
