package io.testudo.quorum.sim.history;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;

/**
 * Whether a history can be explained by its operations having been done one after the other, each
 * at some instant between its call and its answer. Objects are looked at one by one: a history is
 * linearizable if that of each object is. The search is that of Wing and Gong (1993), with Lowe's
 * (2017) memory of what was tried.
 */
public final class Linearizability {
  /** The longest history of one object. */
  public static final int MAX_OPERATIONS = 2_000;

  /** More than enough for a history of that length with few open operations. */
  public static final int STANDARD_CONFIGURATIONS = 1_000_000;

  private Linearizability() {}

  /** What the search found. */
  public enum Verdict {
    /** An order was found. */
    LINEARIZABLE,
    /** There is none. */
    NOT_LINEARIZABLE,
    /** The search was given up. */
    UNDECIDED
  }

  /**
   * A verdict with its reason.
   *
   * @param configurations how many were tried
   * @param explanation how far the search came, if it found no order
   */
  public record Result(Verdict verdict, long configurations, String explanation) {
    public boolean isLinearizable() {
      return verdict == Verdict.LINEARIZABLE;
    }
  }

  /** Searches with the standard patience. */
  public static <S, I, O> Result check(
      Specification<S, I, O> specification, RecordedHistory<I, O> history) {
    return check(specification, history, STANDARD_CONFIGURATIONS);
  }

  /**
   * Searches.
   *
   * @param maxConfigurations for each object; after so many there is no verdict
   * @throws IllegalArgumentException if the history of an object is too long
   */
  public static <S, I, O> Result check(
      Specification<S, I, O> specification, RecordedHistory<I, O> history, int maxConfigurations) {
    long configurations = 0;
    Result undecided = null;
    for (String object : history.objects()) {
      List<RecordedHistory.Event<I, O>> events = history.of(object);
      checkArgument(
          events.size() <= MAX_OPERATIONS,
          "%s operations on %s are more than %s",
          events.size(),
          object,
          MAX_OPERATIONS);
      Result result = new Search<>(specification, events, maxConfigurations).run(object);
      configurations += result.configurations();
      if (result.verdict() == Verdict.NOT_LINEARIZABLE) {
        return result;
      } else if (result.verdict() == Verdict.UNDECIDED) {
        undecided = result;
      }
    }
    return undecided != null
        ? undecided
        : new Result(Verdict.LINEARIZABLE, configurations, "every object has an order");
  }
}
