package io.testudo.quorum;

/**
 * An operation that did not end as asked. {@link #outcome()} says whether it happened, {@link
 * #isWorthRetrying()} whether the same call can end otherwise.
 */
public abstract class TestudoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final Outcome outcome;
  private final boolean worthRetrying;

  /** For what may end otherwise the next time. */
  protected TestudoException(String problem, Outcome outcome) {
    super(problem + ": " + outcome.rule());
    this.problem = problem;
    this.outcome = outcome;
    this.worthRetrying = outcome != Outcome.HAPPENED;
  }

  /**
   * For what ends the same way until somebody changes something.
   *
   * @param remedy what to change, as the end of a sentence
   */
  protected TestudoException(String problem, Outcome outcome, String remedy) {
    super(problem + ": " + outcome.fact() + ", and the same call would fail again; " + remedy);
    this.problem = problem;
    this.outcome = outcome;
    this.worthRetrying = false;
  }

  /** What went wrong, without what became of the operation. */
  public final String problem() {
    return problem;
  }

  /** Whether the operation happened. */
  public final Outcome outcome() {
    return outcome;
  }

  /**
   * Whether the same call may end otherwise when it is made again, and nothing else is changed.
   * Whether that is safe, the {@link #outcome()} says.
   */
  public final boolean isWorthRetrying() {
    return worthRetrying;
  }
}
