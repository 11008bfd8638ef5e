package io.testudo.quorum.protocol;

import io.testudo.quorum.Outcome;

/**
 * What an application asks of a client machine. Implemented by records.
 *
 * @param <R> what it is answered with
 */
public interface Call<R> {
  /** What became of it if its machine ends before the answer. */
  default Outcome whenCutOff() {
    return Outcome.UNKNOWN;
  }

  /** What became of it if its machine had ended before it began. */
  default Outcome whenTooLate() {
    return Outcome.DID_NOT_HAPPEN;
  }
}
