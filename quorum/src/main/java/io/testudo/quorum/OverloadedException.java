package io.testudo.quorum;

/** A limit on work in progress was reached, and the operation was not begun. */
public final class OverloadedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  /**
   * Says which limit.
   *
   * @param what the work that is limited, in the plural
   */
  public OverloadedException(String what, int limit) {
    super("there are already %d %s".formatted(limit, what), Outcome.DID_NOT_HAPPEN);
  }
}
