package io.testudo.quorum.protocol;

import io.testudo.quorum.Outcome;

/**
 * What an application asks of a client half. Implemented by records.
 *
 * @param <R> what it is answered with
 */
public interface Call<R> {
  /** What became of it if its half ends before the answer. */
  default Outcome whenCutOff() {
    return Outcome.UNKNOWN;
  }

  /** What became of it if its half had ended before it began. */
  default Outcome whenTooLate() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
