package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerSet;

/** The grants that one lease rests on, as the protocol that has collected them sees to them. */
public interface LeaseGrants {
  /**
   * Asks the servers for more time.
   *
   * @return what was asked for
   */
  Term prolong(long holdNanos);

  /** How long answers to that may take. */
  long windowNanos();

  /** Those that have answered, to be named if they are too few. */
  ServerSet answered();

  /**
   * The lease is over: the protocol gives its grants back, or forgets them, and forgets all else of
   * it.
   *
   * @param isLost whether its term has ended, or the grants are worth nothing any more; else it was
   *     released
   */
  void end(boolean isLost);
}
