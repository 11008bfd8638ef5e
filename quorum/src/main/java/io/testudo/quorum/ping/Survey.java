package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;

/**
 * Asks every server once.
 *
 * @param await how many answers to wait for
 * @param timeoutNanos when to go on with fewer; below a quorum that is a failure
 * @param restNanos the same, but counted from the first answer on: where one server answers at
 *     once, it is not worth the whole time to find out that another is down
 */
public record Survey(Await await, long timeoutNanos, long restNanos) implements Call<SurveyResult> {
  /** How many answers a survey waits for. */
  public enum Await {
    /** As many as can be had in spite of b silent servers. */
    QUORUM,
    /** Every server, or those that answer in time. */
    ALL
  }

  public Survey {
    checkArgument(timeoutNanos > 0, "a survey's timeout must be positive, not %s", timeoutNanos);
    checkArgument(restNanos > 0, "a survey's patience must be positive, not %s", restNanos);
  }

  /** One that gives every server the whole time. */
  public Survey(Await await, long timeoutNanos) {
    this(await, timeoutNanos, timeoutNanos);
  }

  /** {@inheritDoc} It changes nothing. */
  @Override
  public Outcome whenCutOff() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
