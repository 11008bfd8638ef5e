package io.testudo.quorum;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An operation that did not end as asked. {@link #outcome()} says whether it happened, {@link
 * #isWorthRetrying()} whether the same call can end otherwise.
 */
public abstract class TestudoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final Outcome outcome;
  private final boolean worthRetrying;

  /** By index of the server: a {@link ServerId} does not go with an exception. */
  private final ImmutableMap<Integer, String> reasons;

  /** For what may end otherwise the next time. */
  protected TestudoException(String problem, Outcome outcome) {
    this(problem, outcome, ImmutableMap.of());
  }

  /**
   * For what may end otherwise the next time, with what is known of single servers.
   *
   * @param reasons why each of them did not do its part, in words that follow its name
   */
  protected TestudoException(String problem, Outcome outcome, Map<ServerId, String> reasons) {
    super(problem + listed(reasons) + ": " + outcome.rule());
    this.problem = problem + listed(reasons);
    this.outcome = outcome;
    this.worthRetrying = outcome != Outcome.HAPPENED;
    ImmutableMap.Builder<Integer, String> byIndex = ImmutableMap.builder();
    reasons.forEach((server, reason) -> byIndex.put(server.index(), reason));
    this.reasons = byIndex.buildOrThrow();
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
    this.reasons = ImmutableMap.of();
  }

  private static String listed(Map<ServerId, String> reasons) {
    return reasons.isEmpty()
        ? ""
        : reasons.entrySet().stream()
            .map(reason -> reason.getKey() + " " + reason.getValue())
            .collect(Collectors.joining("; ", " (", ")"));
  }

  /**
   * Why servers did not do their part, as far as this client knows. What a server said is its own
   * word: it may lie.
   */
  public final Map<ServerId, String> reasons() {
    ImmutableMap.Builder<ServerId, String> byServer = ImmutableMap.builder();
    reasons.forEach((index, reason) -> byServer.put(new ServerId(index), reason));
    return byServer.buildOrThrow();
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
