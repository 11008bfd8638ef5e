package io.testudo.mutex;

/**
 * This thread had locked it, but the lease ended before: what was done since was not protected,
 * except where the fencing token was checked.
 */
public final class LockLostException extends IllegalMonitorStateException {
  private static final long serialVersionUID = 1L;

  public LockLostException(String lock) {
    super(
        "The lock '%s' was lost before it was unlocked; check what was done meanwhile."
            .formatted(lock));
  }
}
