package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Asks every server once.
 *
 * @param await how many answers to wait for
 * @param timeoutNanos when to go on with fewer; below a quorum that is a failure
 */
public record Survey(Await await, long timeoutNanos) implements Call<SurveyResult> {
  /** How many answers a survey waits for. */
  public enum Await {
    /** As many as can be had in spite of b silent servers. */
    QUORUM,
    /** Every server, or those that answer in time. */
    ALL
  }

  public Survey {
    checkArgument(timeoutNanos > 0, "a survey's timeout must be positive, not %s", timeoutNanos);
  }

  /** {@inheritDoc} It changes nothing. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
