package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.Access;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.spi.Entropy;

/**
 * Clients of the backoff mutex with and without the paper's third improvement. Without it two may
 * hold the lock, so the library has no way to take it off: this class, which measures what it
 * costs, is in the package of the client and in the bench.
 */
public final class LateGrants {
  private LateGrants() {}

  /**
   * A client of a lock.
   *
   * @param keepsLate whether a lease counts from when its grants came
   */
  public static BackoffClient client(
      Thresholds thresholds,
      LockTiming timing,
      BackoffTuning tuning,
      long session,
      Entropy entropy,
      boolean keepsLate) {
    return new BackoffClient(
        thresholds, Access.ALL, timing, tuning, session, RankSeals.none(), entropy, keepsLate);
  }
}
