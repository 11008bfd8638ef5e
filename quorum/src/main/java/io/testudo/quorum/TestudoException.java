package io.testudo.quorum;

/** An operation that did not end as asked. {@link #outcome()} says whether it happened. */
public abstract class TestudoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Outcome outcome;

  protected TestudoException(String problem, Outcome outcome) {
    super(problem + ": " + outcome.rule());
    this.outcome = outcome;
  }

  /** Whether the operation happened. */
  public final Outcome outcome() {
    return outcome;
  }
}
