package io.testudo.quorum;

/**
 * The client was closed, by its owner or by an error, before the operation began or while it was in
 * progress.
 */
public final class ClosedException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public ClosedException(Outcome outcome) {
    super("the client is closed", outcome, "make a new client");
  }
}
