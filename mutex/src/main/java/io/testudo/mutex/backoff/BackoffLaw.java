package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How long a contender sleeps at most before it tries again; the sleep is drawn evenly from zero to
 * this bound. It touches response times only, never exclusion.
 */
@FunctionalInterface
public interface BackoffLaw {
  /** Beyond this exponent the paper's law would sleep longer than anyone waits. */
  int MAX_EXPONENT = 16;

  /**
   * The longest sleep.
   *
   * @param retry 1 after the first attempt that failed
   * @param unitNanos about as long as it takes one contender to enter and leave
   */
  double boundNanos(int retry, double unitNanos);

  /** Doubles with each retry: the law of Chockler, Malkhi and Reiter. */
  static BackoffLaw exponential() {
    return exponential(2);
  }

  /** Grows by a factor with each retry. */
  static BackoffLaw exponential(double factor) {
    checkArgument(factor > 1 && factor <= 16, "a factor of %s is not from 1 to 16", factor);
    return (retry, unitNanos) -> unitNanos * Math.pow(factor, Math.min(retry, MAX_EXPONENT));
  }

  /** Grows with a power of the retries. */
  static BackoffLaw polynomial(int degree) {
    checkArgument(degree >= 1 && degree <= 8, "a degree of %s is not from 1 to 8", degree);
    return (retry, unitNanos) -> unitNanos * Math.pow(retry, degree);
  }

  /** Does not grow. */
  static BackoffLaw constant() {
    return (retry, unitNanos) -> unitNanos;
  }
}
