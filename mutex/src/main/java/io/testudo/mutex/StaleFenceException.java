package io.testudo.mutex;

/** A holder whose lease has ended came too late: a later holder was here before. */
public final class StaleFenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long token;
  private final long highest;

  public StaleFenceException(long token, long highest) {
    super(
        "The fencing token %d is behind %d: a later holder was here; acquire the lock again."
            .formatted(token, highest));
    this.token = token;
    this.highest = highest;
  }

  /** The token that was refused. */
  public long token() {
    return token;
  }

  /** The largest token seen before. */
  public long highest() {
    return highest;
  }
}
