package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Moment;
import java.util.Arrays;

/**
 * How far a client lets reported ranks push its clock. What is near its own wall clock is believed
 * from anyone; beyond that only what a client has sealed, or what so many servers report that one
 * of them must be correct.
 */
public final class Horizon {
  private final RankClock clock;
  private final RankSeals seals;
  private final long maxSkewMillis;
  private final int vouchers;
  private final long[] reported;

  public Horizon(RankClock clock, RankSeals seals, long maxSkewMillis, Thresholds thresholds) {
    this.clock = clock;
    this.seals = seals;
    this.maxSkewMillis = maxSkewMillis;
    this.vouchers = thresholds.vouchers();
    this.reported = new long[thresholds.servers()];
  }

  /**
   * Hears of a rank.
   *
   * @return false if its seal is forged, which no correct server passes on
   */
  public boolean hear(ServerId from, String name, SealedRank rank, Moment now) {
    long near = RankClock.atWall(now.wallMillis() + maxSkewMillis);
    if (rank.time() <= near) {
      clock.observe(rank.time());
      return true;
    }
    switch (seals.check(name, rank)) {
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
