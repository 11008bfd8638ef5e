package io.testudo.quorum;

/** What became of an operation that ended in an exception: the rule for trying again. */
public enum Outcome {
  /** It did not happen and will not: trying again is safe. */
  DID_NOT_HAPPEN("it did not happen", "trying again is safe"),

  /** It may have happened, or may still happen: ask before doing it again. */
  UNKNOWN("it may have happened or still happen", "ask before doing it again"),

  /** It happened, and only the rest of the call failed: do not do it again. */
  HAPPENED("it happened", "do not do it again");

  private final String fact;
  private final String rule;

  Outcome(String fact, String rule) {
    this.fact = fact;
    this.rule = rule;
  }

  /** What became of it, as part of a sentence. */
  public String fact() {
    return fact;
  }

  /** What became of it and the rule for trying again, as part of a sentence. */
  public String rule() {
    return fact + ", so " + rule;
  }
}
