package io.testudo.quorum;

/** The client was closed, by its owner or by an error, while an operation was in progress. */
public final class ClosedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public ClosedException() {
    super("the client is closed", Outcome.UNKNOWN);
  }
}
