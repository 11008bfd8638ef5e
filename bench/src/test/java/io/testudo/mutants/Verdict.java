package io.testudo.mutants;

/** What became of a mutant; the detail says who caught it, or what is wrong. */
record Verdict(Mutant mutant, Outcome outcome, String detail, double seconds) {
  /** Only the first is good. */
  enum Outcome {
    /** A test failed, or hung. */
    CAUGHT,
    /** All tests passed. */
    SURVIVED,
    /** Nothing is proved: it does not apply or compile, or its tests fail or are missing anyway. */
    BROKEN
  }

  boolean isGood() {
    return outcome == Outcome.CAUGHT;
  }
}
