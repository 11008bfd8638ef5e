package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Allowance;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Moment;
import java.util.Arrays;
import java.util.Map;

/**
 * How far a client lets reported ranks push its clock. What is near its own wall clock is believed
 * from anyone; beyond that only what a client has sealed, or what so many servers report that one
 * of them must be correct.
 */
public final class Horizon {
  /** Of so many names it is kept which server reports what; the eldest goes. */
  private static final int MAX_NAMES = 1_024;

  /**
   * As many seals of one server are checked in a second: a signature takes long, and a server may
   * show thousands.
   */
  static final int MAX_CHECKS = 64;

  private final RankClock clock;
  private final RankSeals seals;
  private final long maxSkewMillis;
  private final int vouchers;
  private final int servers;

  private final Allowance<ServerId> checks = new Allowance<>(MAX_CHECKS, MAX_CHECKS);

  /** What each server reports of a name beyond what is believed from anyone. */
  private final Map<String, long[]> reported = BoundedMap.byAge(MAX_NAMES);

  public Horizon(RankClock clock, RankSeals seals, long maxSkewMillis, Thresholds thresholds) {
    this.clock = clock;
    this.seals = seals;
    this.maxSkewMillis = maxSkewMillis;
    this.vouchers = thresholds.vouchers();
    this.servers = thresholds.servers();
  }

  /**
   * Hears of a rank.
   *
   * @return false if its seal is forged, which no correct server passes on
   */
  public boolean hear(ServerId from, String name, SealedRank rank, Moment now) {
    long near = RankClock.atWall(now.wallMillis() + maxSkewMillis);
    if (rank.time() <= near) {
      clock.observe(name, rank.time());
      return true;
    }
    switch (check(from, name, rank, now.nanos())) {
      case VALID -> clock.observe(name, rank.time());
      case FORGED -> {
        return false;
      }
      case UNKNOWN -> {
        long[] ofName = reported.computeIfAbsent(name, any -> new long[servers]);
        ofName[from.index()] = Math.max(ofName[from.index()], rank.time());
        clock.observe(name, vouched(ofName));
      }
    }
    return true;
  }

  /** One that was not checked proves nothing, and is not held against the server. */
  private RankSeals.Verdict check(ServerId from, String name, SealedRank rank, long nowNanos) {
    if (!checks.hasSome(from, nowNanos)) {
      return RankSeals.Verdict.UNKNOWN;
    }
    checks.spend(from, 1, nowNanos);
    return seals.check(name, rank);
  }

  private long vouched(long[] ofName) {
    long[] sorted = ofName.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - vouchers];
  }
}
