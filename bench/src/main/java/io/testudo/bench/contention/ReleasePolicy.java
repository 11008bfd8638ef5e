package io.testudo.bench.contention;

/** When servers are told that a lock is not needed any more. */
enum ReleasePolicy {
  /**
   * Never, as in the paper: every grant lasts for its full lease, also that of a failed attempt.
   */
  NEVER,
  /** When an attempt fails. A turn lasts for the full hold. */
  FAILED_ATTEMPTS,
  /** When an attempt fails, and at the end of a turn. */
  ALWAYS
}
