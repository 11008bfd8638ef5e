package io.testudo.node.advice;

import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * One way to serve the lock.
 *
 * @param thresholds null if it does not fit, as is the prediction
 * @param why it does not fit, or when it is the right choice
 * @param leastServers that the wish needs this way; 0 if no number is enough
 * @param risk that servers which forget break exclusion in one hold; 0 if they cannot
 */
record Candidate(
    String backend,
    Need need,
    @Nullable Thresholds thresholds,
    @Nullable Prediction prediction,
    String why,
    int leastServers,
    double risk) {
  boolean fits() {
    return thresholds != null;
  }

  /** Why it does not fit, and how many servers it would take. */
  String whyNot() {
    boolean isSaid = leastServers == 0 || why.contains("needs %d ".formatted(leastServers));
    return isSaid ? why : why + "; %d servers would do".formatted(leastServers);
  }

  Thresholds fitting() {
    if (thresholds == null) {
      throw new IllegalStateException(backend + " does not fit");
    }
    return thresholds;
  }

  Prediction predicted() {
    if (prediction == null) {
      throw new IllegalStateException(backend + " does not fit");
    }
    return prediction;
  }
}
