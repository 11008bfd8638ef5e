package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Moment;
import java.util.Arrays;

/**
 * How far a client lets reported ranks push its clock. What is near its own wall clock is believed
 * from anyone; beyond that only what a client has sealed, or what so many servers report that one
 * of them must be correct.
 */
final class Horizon {
  private final RankClock clock;
  private final RankSeals seals;
  private final LockTiming timing;
  private final int vouchers;
  private final long[] reported;

  Horizon(RankClock clock, RankSeals seals, LockTiming timing, Thresholds thresholds) {
    this.clock = clock;
    this.seals = seals;
    this.timing = timing;
    this.vouchers = thresholds.vouchers();
    this.reported = new long[thresholds.servers()];
  }

  /**
   * Hears of a rank.
   *
   * @return false if its seal is forged, which no correct server passes on
   */
  boolean hear(ServerId from, String lock, SealedRank rank, Moment now) {
    long near = RankClock.atWall(now.wallMillis() + timing.maxSkewMillis());
    if (rank.time() <= near) {
      clock.observe(rank.time());
      return true;
    }
    switch (seals.check(lock, rank)) {
      case VALID -> clock.observe(rank.time());
      case FORGED -> {
        return false;
      }
      case UNKNOWN -> {
        reported[from.index()] = Math.max(reported[from.index()], rank.time());
        clock.observe(vouched());
      }
    }
    return true;
  }

  private long vouched() {
    long[] sorted = reported.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - vouchers];
  }
}
